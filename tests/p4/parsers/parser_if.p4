// Conditional statements, blocks and empty statements inside parser states,
// with extraction in a branch.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
header o_t {
    bit<8> v;
}
struct headers_t {
    h_t h;
    o_t o;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        ;
        if (hdr.h.k > 0x80) {
            pkt.extract(hdr.o);
            hdr.h.r = 1;
        } else if (hdr.h.k == 0x80) {
            hdr.h.r = 2;
        } else
            hdr.h.r = 3;
        if (hdr.o.isValid() && hdr.o.v == 0)
            if (hdr.h.k[0:0] == 1)
                hdr.h.r = 4;
            else
                hdr.h.r = 5;
        {
            bit<8> t = hdr.h.r;
            hdr.h.r = t | 0x10;
        }
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        smeta.egress_spec = 1;
        hdr.o.setInvalid();
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
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
