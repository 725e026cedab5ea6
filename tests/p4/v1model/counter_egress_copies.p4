// Egress counts the packets and bytes of every copy: replicas, those that it drops among them,
// and clones.
#include <core.p4>
#include <v1model.p4>

header ethernet_t { bit<48> dst; bit<48> src; bit<16> kind; }
struct headers_t { ethernet_t ethernet; }
struct metadata_t {}

parser P(packet_in p, out headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    state start { p.extract(h.ethernet); transition accept; }
}
control V(inout headers_t h, inout metadata_t m) { apply {} }
control I(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    apply {
        if (h.ethernet.kind == 1) { s.mcast_grp = 1; }
        else { s.egress_spec = 9; }
    }
}
control E(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    counter(64, CounterType.packets_and_bytes) copies;
    counter(4, CounterType.bytes) kinds;
    apply {
        copies.count((bit<32>) s.egress_rid);
        kinds.count((bit<32>) s.instance_type[1:0]);
        // Of four replicas one leaves, and one is cloned.
        if (s.egress_rid[1:0] == 3) {
            clone(CloneType.E2E, 7);
        }
        if (s.egress_rid[1:0] != 0) { mark_to_drop(s); }
    }
}
control D(packet_out p, in headers_t h) { apply { p.emit(h.ethernet); } }
V1Switch(P(), V(), I(), E(), V(), D()) main;
