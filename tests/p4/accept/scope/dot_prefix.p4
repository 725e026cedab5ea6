// spec: §6.9 Name resolution
struct S { bit<8> f; }
const bit<8> n = 4;
bit<8> f(in bit<8> x) { return x; }
control C(inout .S s) {
    bit<8> n = .n + 1;
    apply { .S t = s; t.f = .f(n); s = t; }
}
