// Every kind of lookup writes its result into the packet. `stamp` and `stamp_again`, and `left` and
// `right`, are always changed together: a packet in which they differ has seen half of a change.
#include <core.p4>
#include <v1model.p4>

header keys_t {
    bit<8> place; bit<8> pair; bit<16> number; bit<32> address; bit<32> flow;
    bit<8> group; bit<8> counted; bit<16> port;
}
header results_t {
    bit<64> stamp; bit<64> stamp_again; bit<64> left; bit<64> right;
    bit<32> number; bit<32> route; bit<32> rule; bit<32> choice; bit<128> wide; bit<32> counted;
}
struct headers_t { keys_t keys; results_t results; }
struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.keys);
        pkt.extract(hdr.results);
        transition accept;
    }
}
control V(inout headers_t hdr, inout metadata_t meta) { apply { } }

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    direct_counter(CounterType.packets_and_bytes) hits;
    action_selector(HashAlgorithm.crc32, 32w48, 32w16) pick;

    action set_stamp(bit<64> v) { hdr.results.stamp = v; }
    action set_left(bit<64> v) { hdr.results.left = v; }
    action set_number(bit<32> v) { hdr.results.number = v; }
    action add_number(bit<32> v, bit<32> w) { hdr.results.number = hdr.keys.flow + v ^ w; }
    action set_wide(bit<128> v, bit<32> w) { hdr.results.wide = v; hdr.results.number = w; }
    action route(bit<9> port, bit<32> v) { sm.egress_spec = port; hdr.results.route = v; }
    action discard() { mark_to_drop(sm); }
    action set_rule(bit<32> v) { hdr.results.rule = v; }
    action set_choice(bit<32> v) { hdr.results.choice = v; }
    action add_choice(bit<32> v) { hdr.results.choice = hdr.results.choice + v; }
    action set_counted(bit<32> v) { hdr.results.counted = v; }

    table stamp { actions = { set_stamp; } default_action = set_stamp(0); }
    table numbers {
        key = { hdr.keys.number : exact; }
        actions = { set_number; add_number; set_wide; }
        default_action = set_number(0);
        size = 1024;
    }
    table routes {
        key = { hdr.keys.address : lpm; }
        actions = { route; }
        default_action = route(1, 0);
        size = 512;
    }
    table rules {
        key = { hdr.keys.flow : ternary; hdr.keys.port : ternary; }
        actions = { set_rule; discard; }
        default_action = set_rule(0);
        size = 128;
    }
    table left {
        key = { hdr.keys.pair : exact; }
        actions = { set_left; }
        default_action = set_left(0);
        size = 8;
    }
    table choices {
        key = { hdr.keys.group : exact; hdr.keys.flow : selector; hdr.keys.address : selector; }
        actions = { set_choice; add_choice; }
        implementation = pick;
        default_action = set_choice(0);
        size = 16;
    }
    table counted {
        key = { hdr.keys.counted : exact; }
        actions = { set_counted; }
        counters = hits;
        default_action = set_counted(0);
        size = 16;
    }
    apply {
        if (!hdr.results.isValid()) {
            mark_to_drop(sm);
        } else {
            stamp.apply();
            numbers.apply();
            routes.apply();
            rules.apply();
            left.apply();
            choices.apply();
            counted.apply();
        }
    }
}
control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    action set_right(bit<64> v) { hdr.results.right = v; }
    action set_stamp_again(bit<64> v) { hdr.results.stamp_again = v; }

    table right {
        key = { hdr.keys.pair : ternary; }
        actions = { set_right; }
        default_action = set_right(0);
        size = 8;
    }
    table stamp_again { actions = { set_stamp_again; } default_action = set_stamp_again(0); }
    apply { right.apply(); stamp_again.apply(); }
}
control C(inout headers_t hdr, inout metadata_t meta) { apply { } }
control D(packet_out pkt, in headers_t hdr) {
    apply { pkt.emit(hdr.keys); pkt.emit(hdr.results); }
}
V1Switch(P(), V(), I(), E(), C(), D()) main;
