// no warnings
// Somewhere is enough; and a control that no other applies has the architecture's parameters.
void f(out bit<8> r, in bit<8> a) { if (a == 1) { r = 1; } }
control Inner(out bit<8> y) {
    action set() { y = 1; }
    apply { set(); }
}
control C(inout bit<8> x, out bit<8> unused_by_us) {
    Inner() inner;
    apply { inner.apply(x); f(x, 1); }
}
