// One of everything that live control can touch.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<32> a;
    bit<32> b;
    bit<16> tag;
}

struct headers_t { h_t h; }
struct meta_t {}
struct news_t { bit<32> a; bit<9> port; }

parser P(packet_in p, out headers_t hdr, inout meta_t m, inout standard_metadata_t std) {
    value_set<bit<16>>(4) known;
    state start {
        p.extract(hdr.h);
        transition select(hdr.h.tag) {
            known: accept;
            default: accept;
        }
    }
}

control I(inout headers_t hdr, inout meta_t m, inout standard_metadata_t std) {
    register<bit<48>>(8) last;
    counter(4, CounterType.packets_and_bytes) seen;
    direct_counter(CounterType.packets) hits;
    meter(4, MeterType.packets) rate;
    action_selector(HashAlgorithm.crc16, 32w16, 32w8) choice;

    action forward(bit<9> port) { std.egress_spec = port; }
    action drop() { mark_to_drop(std); }
    action mark(bit<16> value, bit<8> other) { hdr.h.tag = value; }

    table exact_t {
        key = { hdr.h.a: exact; }
        actions = { forward; drop; NoAction; }
        default_action = NoAction();
        counters = hits;
        size = 1024;
    }
    table lpm_t {
        key = { hdr.h.a: lpm; }
        actions = { forward; drop; NoAction; }
        default_action = NoAction();
        size = 1024;
    }
    table ternary_t {
        key = { hdr.h.a: ternary; hdr.h.b: range; }
        actions = { mark; NoAction; }
        default_action = NoAction();
        size = 64;
    }
    table spread {
        key = { hdr.h.b: exact; hdr.h.a: selector; }
        actions = { forward; NoAction; }
        default_action = NoAction();
        implementation = choice;
        size = 64;
    }

    apply {
        std.egress_spec = 1;
        digest<news_t>(1, { hdr.h.a, std.ingress_port });
        seen.count(0);
        bit<48> before;
        last.read(before, 0);
        last.write(0, before + 1);
        exact_t.apply();
        lpm_t.apply();
        ternary_t.apply();
        spread.apply();
    }
}

control E(inout headers_t hdr, inout meta_t m, inout standard_metadata_t std) { apply {} }
control V(inout headers_t hdr, inout meta_t m) { apply {} }
control C(inout headers_t hdr, inout meta_t m) { apply {} }
control D(packet_out p, in headers_t hdr) { apply { p.emit(hdr.h); } }

V1Switch(P(), V(), I(), E(), C(), D()) main;
