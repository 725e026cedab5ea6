// A direct counter has a cell for each entry; a miss counts nowhere.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  i;
    bit<16> v;
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
    direct_counter(CounterType.packets_and_bytes) dc;
    action set(bit<9> p) {
        sm.egress_spec = p;
    }
    table t {
        key = { hdr.h.i : exact; }
        actions = { set; NoAction; }
        default_action = set(9);
        counters = dc;
    }

    apply {
        t.apply();
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
