// Boolean operators over all operand pairs, on bool header fields.
#include <core.p4>
#include <v1model.p4>

header in_t { bool x; bool y; bit<6> pad; }
header out_t { bool r0; bool r1; bool r2; bool r3; bool r4; bool r5; bool r6; bool r7; }

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
        hdr.o.r0 = !hdr.i.x;
        hdr.o.r1 = hdr.i.x == hdr.i.y;
        hdr.o.r2 = hdr.i.x != hdr.i.y;
        hdr.o.r3 = hdr.i.x && hdr.i.y;
        hdr.o.r4 = hdr.i.x || hdr.i.y;
        hdr.o.r5 = !(hdr.i.x && hdr.i.y);
        hdr.o.r6 = hdr.i.x == !hdr.i.y;
        hdr.o.r7 = !hdr.i.x == hdr.i.y;
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
