#include <core.p4>
#include <v1model.p4>

header head_t {
    bit<32> key;
    bit<8>  value;
}
struct headers_t { head_t head; }
struct metadata_t { }

parser P(packet_in p, out headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    state start { p.extract(h.head); transition accept; }
}
control V(inout headers_t h, inout metadata_t m) { apply { } }
control I(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) {
    register<bit<32>>(8) seen;
    action drop() { mark_to_drop(s); }
    action forward(bit<9> port, bit<8> change) {
        s.egress_spec = port;
        h.head.value = h.head.value ^ change;
    }
    table t {
        key = { h.head.key : exact; }
        actions = { drop; forward; }
        default_action = drop();
        size = 1024;
    }
    apply {
        bit<32> count;
        bit<32> cell = (bit<32>)s.ingress_port & 7;
        seen.read(count, cell);
        seen.write(cell, count + 1);
        t.apply();
    }
}
control E(inout headers_t h, inout metadata_t m, inout standard_metadata_t s) { apply { } }
control C(inout headers_t h, inout metadata_t m) { apply { } }
control D(packet_out p, in headers_t h) { apply { p.emit(h.head); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
