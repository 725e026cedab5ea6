// The payload's sum reaches each copy of a packet: replicas, clones, and packets that come back
// with another payload.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  what;
    bit<8>  port;
    bit<16> sum;
}
struct headers_t { h_t h; }
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
        if (hdr.h.what == 1) {
            sm.mcast_grp = 1;
        } else if (hdr.h.what == 2) {
            clone_preserving_field_list(CloneType.I2E, 5, 0);
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        hdr.h.port = (bit<8>) sm.egress_port;
        if (hdr.h.what == 3) {
            // Once more, with these four bytes as the head of another payload.
            hdr.h.what = 0;
            recirculate_preserving_field_list(0);
        }
    }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        update_checksum_with_payload(true, { hdr.h.what, hdr.h.port }, hdr.h.sum,
                                     HashAlgorithm.csum16);
    }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
