// What is written to an invalid header is gone once setValid makes the header valid: in the
// headers, in variables, in copies, through parameters and across blocks.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }

struct inner_t { two_t h; bit<8> other; }

struct headers_t {
    two_t i;
    two_t direct;
    two_t maybe;
    two_t removed;
    two_t variable;
    two_t copied;
    two_t argument;
    two_t result;
    two_t table_set;
    two_t later;
    two_t computed;
}

struct meta_t { bit<8> seen; }

void fill(inout two_t h) {
    h.x = 0x71;
    h.setValid();
    h.y = 0x72;
}

void make(out two_t h) {
    h.x = 0x81;
    h.setValid();
    h.y = 0x82;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition select(hdr.i.x) {
            1: more;
            default: accept;
        }
    }
    state more {
        pkt.extract(hdr.maybe);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    two_t v;
    inner_t s;

    action put(bit<8> x) {
        hdr.table_set.x = x;
        hdr.table_set.setValid();
        hdr.table_set.y = 0x92;
    }
    table t {
        key = { hdr.i.x : exact; }
        actions = { put; NoAction; }
        default_action = put(0x91);
    }

    apply {
        sm.egress_spec = 1;

        hdr.direct.x = 0x21;
        hdr.direct.setValid();
        meta.seen = hdr.direct.x;
        hdr.direct.y = meta.seen + 0x22;

        // Valid for some packets: those keep what is written.
        hdr.maybe.x = 0x31;
        hdr.maybe.setValid();

        hdr.removed = { 0x41, 0x42 };
        if (hdr.i.y == 0) { hdr.removed.setInvalid(); }
        hdr.removed.x = 0x43;
        hdr.removed.setValid();

        v.x = 0x51;
        v.setValid();
        v.y = 0x52;
        hdr.variable = v;

        s.h.x = 0x61;
        hdr.copied = s.h;
        hdr.copied.y = 0x62;
        hdr.copied.setValid();

        fill(hdr.argument);
        make(hdr.result);
        t.apply();

        hdr.later.x = 0xa1;
        hdr.computed.x = 0xb1;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        hdr.later.setValid();
        hdr.later.y = 0xa2;
    }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply {
        hdr.computed.setValid();
        hdr.computed.y = 0xb2;
    }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
