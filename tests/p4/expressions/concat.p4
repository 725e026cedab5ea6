// Concatenation puts the left operand on top, at any widths, and associates to the left.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<3> b; bit<9> z; bit<4> pad; }
header out_t { bit<16> ab; bit<16> ba; bit<32> zz; bit<72> w; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
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
        hdr.o.ab = hdr.i.a ++ 5w0 ++ hdr.i.b;
        hdr.o.ba = hdr.i.b ++ hdr.i.a ++ 5w31;
        hdr.o.zz = hdr.i.z ++ hdr.i.z ++ hdr.i.z ++ 5w0;
        hdr.o.w = hdr.i.z ++ 56w1 ++ 7w1;
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
