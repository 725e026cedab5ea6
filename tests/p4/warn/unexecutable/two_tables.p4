#include <v1model.p4>
header H { bit<8> a; bit<8> b; }
struct Headers { H h; }
struct Meta { bit<8> x; }
parser P(packet_in p, out Headers h, inout Meta m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout Headers h, inout Meta m) { apply { } }
control I(inout Headers h, inout Meta m, inout standard_metadata_t s) {
    direct_counter(CounterType.packets) packets;
    direct_meter<bit<8>>(MeterType.bytes) colours;
    action read() { colours.read(m.x); }
    table first {
        key = { h.h.a : exact; }
        actions = { read; }
        counters = packets;
        meters = colours;
    }
    table second {
        key = { h.h.b : exact; }
        actions = { read; }
        counters = packets; //~ WARN `packets` is attached to two tables, `first` and `second`
        meters = colours; //~ WARN `colours` is attached to two tables, `first` and `second`
    }
    apply { first.apply(); second.apply(); }
}
control E(inout Headers h, inout Meta m, inout standard_metadata_t s) { apply { } }
control C(inout Headers h, inout Meta m) { apply { } }
control D(packet_out p, in Headers h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
