// The custom CRCs start with the parameters of the plain ones until the control
// plane changes them.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<72> d;
    bit<32> r32;
    bit<16> r16;
}

struct headers_t {
    h_t h;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hash(hdr.h.r32, HashAlgorithm.crc32_custom, 32w0, { hdr.h.d }, 64w0x100000000);
        hash(hdr.h.r16, HashAlgorithm.crc16_custom, 16w0, { hdr.h.d }, 32w65536);
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
