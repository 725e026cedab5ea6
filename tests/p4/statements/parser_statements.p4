// Blocks, conditionals and local variables in parser states; parser locals start afresh for each
// packet.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; }
header second_t { bit<8> b; }
header out_t { bit<8> r; }

struct headers_t {
    in_t i;
    second_t j;
    out_t o;
}

struct meta_t {
    bit<8> acc;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    bit<8> acc = 0x80;
    state start {
        pkt.extract(hdr.i);
        if (hdr.i.a < 0x10) {
            acc = acc + hdr.i.a;
        } else {
            acc = acc - hdr.i.a;
        }
        transition second;
    }
    state second {
        pkt.extract(hdr.j);
        acc = acc + 1;
        {
            bit<8> b = hdr.j.b;
            acc = acc + b;
        }
        meta.acc = acc;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r = meta.acc;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
