// Shift amounts of 64 and 128 bits are used in full, not truncated to a machine word.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<64> n; bit<128> k; bit<8> x; int<8> y; }
header out_t { bit<8> ln; bit<8> rn; int<8> sn; bit<8> lk; bit<8> rk; int<8> sk; }

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
        hdr.o.ln = hdr.i.x << hdr.i.n;
        hdr.o.rn = hdr.i.x >> hdr.i.n;
        hdr.o.sn = hdr.i.y >> hdr.i.n;
        hdr.o.lk = hdr.i.x << hdr.i.k;
        hdr.o.rk = hdr.i.x >> hdr.i.k;
        hdr.o.sk = hdr.i.y >> hdr.i.k;
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
