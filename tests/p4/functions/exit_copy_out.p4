// exit inside an action called with out and inout arguments still copies them out.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; }

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
    action finish(out bit<8> p, inout bit<8> q) {
        p = 0x42;
        q = q + 1;
        if (hdr.i.a == 1) {
            exit;
        }
        p = 0x43;
        q = q + 1;
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r0 = 0xee;
        hdr.o.r1 = hdr.i.b;
        hdr.o.r2 = 0;
        finish(hdr.o.r0, hdr.o.r1);
        hdr.o.r2 = 0xaa;
        sm.egress_spec = 2;
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
