// no warnings: 2^27 cells together; direct objects and profiles have none.
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
    meter(0x3ffffff, MeterType.packets) half;
    register<bit<64>>(0x4000000) other;
    @name("direct") direct_counter(CounterType.packets) direct;
    action_profile(0xffffffff) members;
    action drop() { mark_to_drop(s); }
    table t { key = { h.h.a : exact; } actions = { drop; NoAction; } counters = direct; implementation = members; }
    apply {
        one.count(0);
        half.execute_meter(h.h.a, m.c);
        other.write(h.h.a, 1);
        t.apply();
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
