// Extracting into the same header again overwrites it with the later bytes;
// extracting into a local header and copying it copies the validity too.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> v;
}
struct headers_t {
    h_t h;
    h_t g;
    h_t i;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    h_t tmp;
    h_t untouched;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            0: again;
            default: local;
        }
    }
    state again {
        pkt.extract(hdr.h);
        transition local;
    }
    state local {
        pkt.extract(tmp);
        hdr.g = tmp;
        tmp.v = 0xff;
        hdr.i = untouched;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
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
        pkt.emit(hdr.g);
        pkt.emit(hdr.i);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
