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
void f19() { f18(); f18(); }
void f20() { f19(); f19(); } //~ WARN function `f20` has 2097150 operations
void f21() { f20(); f20(); }
void f22() { f21(); f21(); }
void f23() { f22(); f22(); }
void f24() { f23(); f23(); }
void f25() { f24(); f24(); }
void f26() { f25(); f25(); }
void f27() { f26(); f26(); }
void f28() { f27(); f27(); }
void f29() { f28(); f28(); }
void f30() { f29(); f29(); }
void f31() { f30(); f30(); }
void f32() { f31(); f31(); }
void f33() { f32(); f32(); }
void f34() { f33(); f33(); }
void f35() { f34(); f34(); }
void f36() { f35(); f35(); }
void f37() { f36(); f36(); }
void f38() { f37(); f37(); }
void f39() { f38(); f38(); }
void f40() { f39(); f39(); }
void f41() { f40(); f40(); }
void f42() { f41(); f41(); }
void f43() { f42(); f42(); }
void f44() { f43(); f43(); }
void f45() { f44(); f44(); }
void f46() { f45(); f45(); }
void f47() { f46(); f46(); }
void f48() { f47(); f47(); }
void f49() { f48(); f48(); }
void f50() { f49(); f49(); }
void f51() { f50(); f50(); }
void f52() { f51(); f51(); }
void f53() { f52(); f52(); }
void f54() { f53(); f53(); }
void f55() { f54(); f54(); }
void f56() { f55(); f55(); }
void f57() { f56(); f56(); }
void f58() { f57(); f57(); }
void f59() { f58(); f58(); }
void f60() { f59(); f59(); }
control I(inout H h, inout M m, inout standard_metadata_t s) {
    apply {
        f60();
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
