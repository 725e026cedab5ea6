// Header fields that cross byte boundaries are extracted and emitted bit by bit in network order.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<3> a; bit<13> b; bit<1> c; bit<15> d; bit<31> e; bit<1> f; }
header out_t { bit<1> f; bit<31> e; bit<15> d; bit<1> c; bit<13> b; bit<3> a; }

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
        hdr.o = { hdr.i.f, hdr.i.e, hdr.i.d, hdr.i.c, hdr.i.b, hdr.i.a };
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
