// Bytes that the parser skips with advance are parsed, not payload: they do not
// leave with the packet.

#include <core.p4>
#include <v1model.p4>

header code_t {
    bit<8> c;
}

header h_t {
    bit<8> k;
}

struct headers_t {
    code_t code;
    h_t    h;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        pkt.advance(16);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.code.setValid();
        hdr.code.c = 0;
        if (sm.parser_error == error.PacketTooShort) {
            hdr.code.c = 1;
        }
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
