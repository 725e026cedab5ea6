#include <core.p4>
#include <v1model.p4>
header h_t { bit<32> a; }
struct H { h_t h; }
struct M { bit<8> c; }
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout H h, inout M m) { apply { } }
control I(inout H h, inout M m, inout standard_metadata_t s) {
    counter(1, CounterType.packets) one;
    meter(4294967295, MeterType.packets) all; //~ WARN meter `I.all` has 4294967295 cells, with those declared before it 4294967296
    apply {
        one.count(0);
        all.execute_meter(h.h.a, m.c);
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
