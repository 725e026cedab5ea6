// spec: §6.8 Calling convention
extern void f(in bit<8> head, in bit<8> mid = 2, in bit<16> tail);
extern void g(in bit<32> a, in bool b = true);
const bit<8> K = 3;
extern bit<8> h(in bit<8> a = K + 1, string s = "x");
control C(out bit<8> x) {
    apply {
        f(head = 1, mid = 2, tail = 3);
        f(tail = 3, head = 1);
        f(1, 2, 3);
        g(10);
        g(a = 10);
        x = h();
        x = h(s = "y");
    }
}
