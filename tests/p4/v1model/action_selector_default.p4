// A miss in a table with an action selector runs the default action; hit and miss
// are told apart as in any table.

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
    action set(bit<9> p) {
        sm.egress_spec = p;
    }
    action drop() {
        mark_to_drop(sm);
    }
    table t {
        key = {
            hdr.h.i : lpm;
            hdr.h.v : selector;
        }
        actions = { set; drop; }
        const default_action = set(7);
        implementation = action_selector(HashAlgorithm.identity, 32w64, 32w8);
    }

    apply {
        if (t.apply().hit) {
            hdr.h.v = 0x1111;
        } else {
            hdr.h.v = 0x2222;
        }
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
