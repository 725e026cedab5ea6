// One of each object that a control plane reaches. The frame's first bytes are the keys; what
// becomes of them is told by the bytes behind, so that a test sees which entry was found.

#include <core.p4>
#include <v1model.p4>

header test_t {
    bit<8>   a;
    bit<8>   b;
    bit<32>  address;
    bit<48>  mac;
    bit<16>  out_ternary;
    bit<16>  out_lpm;
    bit<48>  out_exact;
    bit<16>  out_own;
    bit<32>  out_register;
    bit<8>   out_colour;
}

struct headers_t { test_t test; }
struct metadata_t { bit<8> colour; }
struct seen_t { bit<48> mac; bit<8> a; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.test);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) { apply {} }

control ingress(inout headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) hits;
    register<bit<32>>(16) cells;
    meter(4, MeterType.packets) rates;

    action mark(bit<16> port) { hdr.test.out_ternary = port; }
    table by_ternary {
        key = { hdr.test.a: ternary; hdr.test.b: range; hdr.test.mac: optional; }
        actions = { mark; NoAction; }
        default_action = NoAction();
        counters = hits;
        size = 8;
    }

    action via(bit<16> hop) { hdr.test.out_lpm = hop; }
    table by_prefix {
        key = { hdr.test.address: lpm; }
        actions = { via; }
        default_action = via(0xffff);
        size = 64;
    }

    action rewrite(bit<48> mac) { hdr.test.out_exact = mac; }
    table by_mac {
        key = { hdr.test.mac: exact; hdr.test.a: exact; }
        actions = { rewrite; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 32;
    }

    action set_own(bit<16> value) { hdr.test.out_own = value; }
    table own {
        key = { hdr.test.b: exact; }
        actions = { set_own; }
        default_action = set_own(7);
        const entries = { 1: set_own(0x101); 2: set_own(0x202); }
    }

    apply {
        by_ternary.apply();
        by_prefix.apply();
        by_mac.apply();
        own.apply();
        bit<32> value;
        cells.read(value, (bit<32>) hdr.test.a[3:0]);
        hdr.test.out_register = value;
        cells.write((bit<32>) hdr.test.a[3:0], value + 1);
        rates.execute_meter((bit<32>) hdr.test.a[1:0], meta.colour);
        hdr.test.out_colour = meta.colour;
        digest<seen_t>(3, { hdr.test.mac, hdr.test.a });
        standard_metadata.mcast_grp = (bit<16>) hdr.test.b[7:4];
    }
}

control egress(inout headers_t hdr, inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    apply {}
}

control C(inout headers_t hdr, inout metadata_t meta) { apply {} }

control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.test); } }

V1Switch(P(), V(), ingress(), egress(), C(), D()) main;
