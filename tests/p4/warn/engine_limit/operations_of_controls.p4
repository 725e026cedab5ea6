#include <core.p4>
#include <v1model.p4>
header h_t { bit<32> a; }
struct H { h_t h; }
struct M { bit<8> c; }
parser P(packet_in p, out H h, inout M m, inout standard_metadata_t s) {
    state start { p.extract(h.h); transition accept; }
}
control V(inout H h, inout M m) { apply { } }
control K0(inout M m) { apply { } }
control K1(inout M m) {
    K0() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K2(inout M m) {
    K1() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K3(inout M m) {
    K2() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K4(inout M m) {
    K3() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K5(inout M m) {
    K4() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K6(inout M m) {
    K5() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K7(inout M m) {
    K6() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K8(inout M m) {
    K7() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K9(inout M m) {
    K8() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K10(inout M m) {
    K9() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K11(inout M m) {
    K10() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K12(inout M m) {
    K11() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K13(inout M m) {
    K12() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K14(inout M m) {
    K13() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K15(inout M m) {
    K14() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K16(inout M m) {
    K15() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K17(inout M m) {
    K16() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K18(inout M m) {
    K17() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K19(inout M m) {
    K18() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K20(inout M m) { //~ WARN control `K20` has 2097150 operations
    K19() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K21(inout M m) {
    K20() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K22(inout M m) {
    K21() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K23(inout M m) {
    K22() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control K24(inout M m) {
    K23() sub;
    apply { sub.apply(m); sub.apply(m); }
}
control I(inout H h, inout M m, inout standard_metadata_t s) {
    K24() sub;
    apply {
        sub.apply(m);
    }
}
control E(inout H h, inout M m, inout standard_metadata_t s) { apply { } }
control C(inout H h, inout M m) { apply { } }
control D(packet_out p, in H h) { apply { p.emit(h.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
