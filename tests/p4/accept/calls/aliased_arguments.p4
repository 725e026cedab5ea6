// spec: §6.8 Calling convention
extern void f(inout bit<8> x, in bit<8> y, out bit<8> z);
extern bit<8> g(inout bit<8> z);
control C(inout bit<8> a) {
    apply { f(a, g(a), a); f(a, a, a); }
}
