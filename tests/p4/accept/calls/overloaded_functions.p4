// spec: §7.2.10.2 Extern objects
extern bit<8> f();
extern bit<8> f(in bit<8> x);
extern bit<8> f(in bit<8> x, in bit<8> y);
extern bit<8> f(in bit<8> x, in bit<8> z, in bit<8> w);
bit<16> g(in bit<16> x) { return x; }
bit<16> g(in bit<16> x, in bit<16> y) { return x + y; }
control C(out bit<8> r, out bit<16> s) {
    apply {
        r = f() + f(1) + f(1, 2) + f(1, 2, 3) + f(y = 2, x = 1);
        s = g(1) + g(2, 3);
    }
}
