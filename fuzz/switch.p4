// A switch with one object of every kind that runtime commands and tests can address.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> kind;
    bit<16> port;
    bit<32> dst;
    int<8> offset;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<2> colour;
    bit<16> hash;
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    value_set<bit<8>>(4) kinds;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.kind) {
            kinds: reject;
            _: accept;
        }
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t sm) {
    counter(4, CounterType.packets_and_bytes) c;
    direct_counter(CounterType.packets) dc;
    meter(4, MeterType.packets) m;
    direct_meter<bit<2>>(MeterType.bytes) dm;
    register<bit<24>>(4) r;
    action_profile(4) profile;
    action_selector(HashAlgorithm.crc16, 4, 8) selector;
    action set_port(bit<9> port) {
        sm.egress_spec = port;
    }
    action set_group(bit<16> group) {
        sm.mcast_grp = group;
    }
    action mirror(bit<32> session) {
        clone(CloneType.I2E, session);
    }
    action drop() {
        mark_to_drop(sm);
    }
    table exact_table {
        key = { hdr.h.kind : exact; hdr.h.isValid() : exact; }
        actions = { set_port; set_group; mirror; drop; NoAction; }
        counters = dc;
        size = 8;
    }
    table route {
        key = { hdr.h.dst : lpm; }
        actions = { set_port; drop; }
        meters = dm;
        default_action = drop();
        size = 8;
    }
    table acl {
        key = { hdr.h.dst : ternary; hdr.h.port : range; hdr.h.kind : optional; hdr.h.offset : range; }
        actions = { drop; NoAction; }
        default_action = NoAction();
        size = 8;
    }
    table members {
        key = { hdr.h.port : exact; }
        actions = { set_port; drop; NoAction; }
        implementation = profile;
        size = 8;
    }
    table groups {
        key = { hdr.h.port : exact; hdr.h.dst : selector; }
        actions = { set_port; drop; NoAction; }
        implementation = selector;
        size = 8;
    }
    apply {
        exact_table.apply();
        route.apply();
        dm.read(meta.colour);
        acl.apply();
        members.apply();
        groups.apply();
        c.count((bit<32>) hdr.h.kind);
        m.execute_meter((bit<32>) hdr.h.kind, meta.colour);
        r.write((bit<32>) hdr.h.kind, (bit<24>) hdr.h.port);
        hash(meta.hash, HashAlgorithm.crc16_custom, 16w0, { hdr.h.dst }, 32w65536);
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
