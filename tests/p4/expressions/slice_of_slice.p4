// A slice of a slice as an l-value, and a slice assigned from an overlapping part of the same value.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<32> x; bit<32> y; bit<16> z; }
header out_t { bit<32> x; bit<32> y; bit<16> z; }

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
        hdr.o = { hdr.i.x, hdr.i.y, hdr.i.z };
        hdr.o.x[23:8][11:4] = 0xa5;
        hdr.o.y[27:4][15:8][5:2] = 4w9;
        hdr.o.z[15:8] = hdr.o.z[11:4];
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
