// spec: §6.8 Calling convention
extern void f(in bit a, in bit<3> b = 2, in bit<5> c);
extern void g(in bit<32> a, in bool b = true);
const bit<8> K = 3;
extern bit<8> h(in bit<8> a = K + 1, string s = "x");
control C(out bit<8> x) {
    apply {
        f(a = 1, b = 2, c = 3);
        f(a = 1, c = 3);
        f(1, 2, 3);
        g(10);
        g(a = 10);
        x = h();
        x = h(s = "y");
    }
}
