// Tables with action selectors: one with entries only, one without keys that match, and two that
// share a selector and list its actions in different orders.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  k;
    bit<16> v;
    bit<8>  w;
    bit<8>  first;
    bit<16> second;
    bit<8>  third;
    bit<8>  fourth;
    bit<8>  hits;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<8>  a;
    bit<16> b;
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action_selector(HashAlgorithm.crc16, 8, 10) both;
    action_selector(HashAlgorithm.identity, 3, 16) alone;
    direct_counter(CounterType.packets) hits;

    action short(bit<8> a) {
        meta.a = a;
    }
    action long(bit<16> b) {
        meta.b = b;
    }

    table exactly {
        key = {
            hdr.h.k: exact;
            hdr.h.v: selector;
            hdr.h.w: selector;
        }
        actions = { short; long; }
        default_action = short(99);
        implementation = both;
        counters = hits;
        size = 64;
    }
    table masked {
        key = {
            hdr.h.w: selector;
            hdr.h.k: ternary;
        }
        actions = { long; short; NoAction; }
        const default_action = NoAction;
        implementation = both;
        size = 32;
    }
    table always {
        key = {
            hdr.h.v: selector;
        }
        actions = { short; }
        default_action = short(77);
        implementation = alone;
    }

    apply {
        hdr.h.hits = 0;
        if (exactly.apply().hit) {
            hdr.h.hits = 1;
        }
        hdr.h.first = meta.a;
        hdr.h.second = meta.b;
        meta.a = 0;
        meta.b = 0;
        if (masked.apply().hit) {
            hdr.h.hits = hdr.h.hits | 2;
        }
        hdr.h.third = meta.a ^ meta.b[7:0];
        always.apply();
        hdr.h.fourth = meta.a;
        sm.egress_spec = 1;
    }
}

control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
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
