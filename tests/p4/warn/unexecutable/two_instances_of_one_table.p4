// no warnings
#include <v1model.p4>
header H { bit<8> a; bit<8> b; }
struct Headers { H h; }
struct Meta { bit<8> x; }
parser P(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout Headers h, inout Meta m) { apply { } }
control Counted(inout Headers h) {
    direct_counter(CounterType.packets) packets;
    table t {
        key = { h.h.a : lpm; h.h.b : exact; }
        actions = { NoAction; }
        counters = packets;
    }
    apply { t.apply(); }
}
control I(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    Counted() one;
    Counted() two;
    apply { one.apply(h); two.apply(h); }
}
control E(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply { } }
control C(inout Headers h, inout Meta m) { apply { } }
control D(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
