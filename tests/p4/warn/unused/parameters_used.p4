// no warnings
// A body without statements is a stub, and an abstract method's parameters are given.
extern Filter {
    Filter();
    abstract bit<8> keep(in bit<8> a, in bit<8> b);
}
bit<8> twice(in bit<8> a, in bit<8> _b) { return a + a; }
control C(inout bit<8> x, in bit<8> imposed) {
    action mark(bit<8> reason) { }
    Filter() f = { bit<8> keep(in bit<8> a, in bit<8> b) { return a; } };
    apply { mark(twice(x, 1)); x = f.keep(x, x); }
}
