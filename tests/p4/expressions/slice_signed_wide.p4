// Slices as l-values, and signed operators, of more than 128 bits.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<160> w; int<136> s; }
header out_t { bit<8> flags; int<136> shifted; int<144> extended; }

struct headers_t {
    h_t h;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.w[151:132] = 0x12345;
        hdr.h.w[3:0] = 0;
        hdr.o.setValid();
        hdr.o.flags = 0;
        if (hdr.h.s < 0) { hdr.o.flags[0:0] = 1; }
        if (hdr.h.s >= 136s1) { hdr.o.flags[1:1] = 1; }
        hdr.o.shifted = hdr.h.s >> 4;
        hdr.o.extended = (int<144>) hdr.h.s;
        hdr.h.s = hdr.h.s |+| hdr.h.s;
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
        pkt.emit(hdr.h);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
