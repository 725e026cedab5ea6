#include <v1model.p4>
header H { bit<8> a; bit<8> b; }
struct Headers { H h; }
struct Meta { bit<8> x; }
parser P(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout Headers h, inout Meta m) { apply { } }
control I(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    direct_counter(CounterType.packets) packets; //~ WARN `packets` is attached to no table
    direct_meter<bit<8>>(MeterType.bytes) colours; //~ WARN `colours` is attached to no table
    direct_counter(CounterType.packets) attached;
    direct_counter(CounterType.packets) implicit;
    counter(4, CounterType.packets) cells;
    action count() { packets.count(); colours.read(m.x); attached.count(); }
    table t {
        key = { h.h.a : exact; }
        actions = { count; }
        counters = attached;
    }
    table u {
        key = { h.h.b : exact; }
        actions = { NoAction; }
        counters = implicit;
    }
    apply { t.apply(); u.apply(); cells.count(1); }
}
control E(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply { } }
control C(inout Headers h, inout Meta m) { apply { } }
control D(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
