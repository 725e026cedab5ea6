// spec: §8.5.1 Conditional operator
header H { bit<8> f; }
struct S { H h; }
control C(in bool c, in S a, in S b, out S r, out bit<8> x) {
    apply { r = c ? a : b; x = (c ? a : b).h.f; }
}
