// no warnings: half of what is allowed.
#include <core.p4>
#include <v1model.p4>
header h_t { bit<32> a; }
struct H { h_t h; }
struct M { bit<8> c; }
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout H h, inout M m) { apply { } }
void f0() { }
void f1() { f0(); f0(); }
void f2() { f1(); f1(); }
void f3() { f2(); f2(); }
void f4() { f3(); f3(); }
void f5() { f4(); f4(); }
void f6() { f5(); f5(); }
void f7() { f6(); f6(); }
void f8() { f7(); f7(); }
void f9() { f8(); f8(); }
void f10() { f9(); f9(); }
void f11() { f10(); f10(); }
void f12() { f11(); f11(); }
void f13() { f12(); f12(); }
void f14() { f13(); f13(); }
void f15() { f14(); f14(); }
void f16() { f15(); f15(); }
void f17() { f16(); f16(); }
void f18() { f17(); f17(); }
control I(inout H h, inout M m, inout standard_metadata_t s) {
    apply {
        f18();
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
