// Nested blocks: shadowing declarations end with their block, assignments to outer variables stay;
// `.x` names the top level.
#include <core.p4>
#include <v1model.p4>

const bit<8> x = 5;
header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; bit<8> r5; }

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
    action own() {
        bit<8> x = hdr.i.a + 0x10;
        hdr.o.r5 = x;
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        bit<8> x = hdr.i.a;
        bit<8> z = 0;
        {
            bit<8> y = hdr.i.b;
            bit<8> x = y + 1;
            hdr.o.r0 = x;
            {
                bit<8> x = 0x77;
                hdr.o.r1 = x;
                z = x;
            }
            z = z + x;
        }
        hdr.o.r2 = x;
        hdr.o.r3 = z;
        hdr.o.r4 = .x;
        own();
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
