// break leaves the innermost loop without its update, continue goes on with the update.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; }

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
        hdr.o = { 0, 0, 0, 0, 0 };
        for (bit<8> i in 0 .. 9) {
            if (i == hdr.i.a) {
                break;
            }
            if (i[0:0] == 1) {
                continue;
            }
            hdr.o.r0 = hdr.o.r0 + i;
            hdr.o.r1 = hdr.o.r1 + 1;
        }
        for (bit<8> i = 1; i <= 3; i = i + 1) {
            for (bit<8> j in 1 .. 3) {
                if (j > i) {
                    break;
                }
                if (j == 2) {
                    continue;
                }
                hdr.o.r2 = hdr.o.r2 + (i << 4) + j;
            }
        }
        for (bit<8> i = 0; i < 5; i = i + 1, hdr.o.r4 = hdr.o.r4 + 1) {
            if (i == 2) {
                continue;
            }
            hdr.o.r3 = hdr.o.r3 + i;
        }
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
