// A recirculated packet of which no byte is left does not disturb those behind it: each keeps its own metadata.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> v; }

struct headers_t {
    h_t h;
}

struct meta_t {
    @field_list(1)
    bit<8> kept;
}

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
        sm.egress_spec = hdr.h.isValid() ? 9w1 : 9w2;
        if (hdr.h.k == 7) {
            hdr.h.v = meta.kept;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        if (hdr.h.isValid() && hdr.h.k < 7) {
            meta.kept = hdr.h.v + 1;
            recirculate_preserving_field_list(1);
            if (hdr.h.k == 5) {
                hdr.h.setInvalid();
            } else {
                hdr.h.k = 7;
            }
        }
    }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
