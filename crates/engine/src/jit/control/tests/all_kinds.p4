// Every kind of table, profile, object and value set that the control plane knows.
#include <core.p4>
#include <v1model.p4>

enum colour_t { red, green, blue }
struct pair_t { bit<8> a; bit<40> b; }
header h_t {
    bit<8> a; bit<8> b; bit<16> c; int<8> s; bit<32> ip; bit<128> ip6; bit<72> wide;
}
struct headers_t { h_t h; }
struct metadata_t { bit<2> colour; bit<8> x; error e; colour_t k; pair_t p; bit<100> w; }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    value_set<bit<16>>(4) ports;
    value_set<tuple<bit<8>, bit<72>>>(5) pairs;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.c) { ports: accept; _: more; }
    }
    state more {
        transition select(hdr.h.a, hdr.h.wide) { pairs: accept; _: reject; }
    }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }

control Sub(inout headers_t hdr, inout standard_metadata_t sm)(bit<9> port) {
    action to_port() { sm.egress_spec = port; }
    action to(bit<9> p) { sm.egress_spec = p; }
    table inner {
        key = { hdr.h.a : exact; }
        actions = { to_port; to; NoAction; }
        const entries = { 1 : to_port(); 2 : to(7); }
        default_action = to(9);
    }
    table own {
        key = { hdr.h.b : exact; }
        actions = { to_port; to; }
        entries = { 3 : to(port); }
        default_action = to_port();
        size = 3;
    }
    apply { inner.apply(); own.apply(); }
}

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    counter(10, CounterType.packets_and_bytes) cells;
    counter(2000000, CounterType.bytes) many_cells;
    direct_counter(CounterType.packets) direct;
    direct_counter(CounterType.packets_and_bytes) other_direct;
    meter(6, MeterType.bytes) meters;
    direct_meter<bit<2>>(MeterType.packets) direct_meters;
    register<bit<8>>(8) small;
    register<bit<100>>(5) large;
    register<bit<32>>(32w3000000) sparse;
    register<error>(3) errors;
    register<pair_t>(3) pairs;
    action_profile(8) shared;
    action_selector(HashAlgorithm.crc16, 32w6, 32w10) pick;
    action_selector(HashAlgorithm.identity, 32w0, 32w3) pick_counted;

    action none() { }
    action set_a(bit<8> v) { hdr.h.a = v; }
    action set_many(bit<8> v, bit<100> w, colour_t k, bool t, pair_t p) {
        hdr.h.b = v; meta.w = w; meta.k = k; meta.p = p; if (t) { hdr.h.a = 1; }
    }
    action read_colour(bit<8> v) { direct_meters.read(meta.colour); hdr.h.a = v; }
    action only_default(bit<16> v) { hdr.h.c = v; }
    action only_entry(bit<16> v) { hdr.h.c = v; }

    table exact_two {
        key = { hdr.h.a : exact; hdr.h.c : exact; }
        actions = { none; set_a; set_many; @defaultonly only_default; @tableonly only_entry; }
        default_action = only_default(17);
        size = 12;
    }
    table open_exact {
        key = { hdr.h.a : exact; }
        actions = { set_a; none; }
        entries = { 5 : set_a(1); _ : set_a(2); 6 : none(); 5 : set_a(9); }
        default_action = none();
        size = 9;
    }
    table routes {
        key = { hdr.h.ip : lpm; }
        actions = { set_a; set_many; none; }
        default_action = set_a(3);
        size = 40;
    }
    table routes_in {
        key = { hdr.h.ip6 : lpm; hdr.h.a : exact; }
        actions = { set_a; set_many; none; }
        default_action = none();
        size = 20;
    }
    table prefix_and_mask {
        key = { hdr.h.c : lpm; hdr.h.a : ternary; }
        actions = { set_a; none; }
        default_action = none();
        size = 20;
    }
    table acl {
        key = { hdr.h.a : ternary; hdr.h.wide : ternary; }
        actions = { none; set_a; @tableonly only_entry; }
        entries = {
            priority = 4 : (1 &&& 3, _) : set_a(4);
            const priority = 2 : (_, 72w5) : set_a(2);
        }
        default_action = none();
        size = 14;
    }
    table ranges {
        key = { hdr.h.a : range; hdr.h.s : range; hdr.h.b : optional; hdr.h.c : exact; }
        actions = { none; set_a; }
        default_action = none();
        size = 14;
    }
    table keyless {
        key = { }
        actions = { none; set_a; }
        default_action = set_a(1);
    }
    table fixed_default {
        key = { hdr.h.a : exact; }
        actions = { none; set_a; }
        const default_action = set_a(8);
        size = 4;
    }
    table by_member {
        key = { hdr.h.a : exact; }
        actions = { set_a; none; only_entry; }
        implementation = shared;
        default_action = set_a(6);
        size = 9;
    }
    table by_member_too {
        key = { hdr.h.b : ternary; }
        actions = { none; set_a; set_many; }
        implementation = shared;
        default_action = none();
        size = 9;
    }
    table by_group {
        key = { hdr.h.a : exact; hdr.h.c : selector; }
        actions = { set_a; none; }
        implementation = pick;
        default_action = none();
        size = 9;
    }
    table by_group_counted {
        key = { hdr.h.b : exact; hdr.h.c : selector; hdr.h.ip : selector; }
        actions = { set_a; none; }
        implementation = pick_counted;
        counters = other_direct;
        default_action = none();
        size = 9;
    }
    table counted {
        key = { hdr.h.ip : lpm; }
        actions = { set_a; none; read_colour; }
        counters = direct;
        meters = direct_meters;
        default_action = none();
        size = 9;
    }
    table never_applied {
        key = { hdr.h.ip : exact; hdr.h.a : ternary; }
        actions = { set_a; none; }
        entries = { priority = 3 : (4, _) : set_a(7); }
        default_action = set_a(5);
    }
    Sub(5) first;
    Sub(6) second;
    apply {
        exact_two.apply(); open_exact.apply(); routes.apply(); routes_in.apply();
        prefix_and_mask.apply(); acl.apply(); ranges.apply(); keyless.apply();
        fixed_default.apply(); by_member.apply(); by_member_too.apply(); by_group.apply();
        by_group_counted.apply(); counted.apply();
        first.apply(hdr, sm); second.apply(hdr, sm);
        cells.count(hdr.h.ip); many_cells.count(hdr.h.ip); meters.execute_meter(hdr.h.ip, meta.colour);
        small.read(meta.x, 1); large.read(meta.w, 1); sparse.write(hdr.h.ip, 4);
        errors.read(meta.e, 0); pairs.read(meta.p, 0);
    }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
