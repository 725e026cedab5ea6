// spec: §8.21 Method invocations and function calls
extern void f(in bit<32> x, out bit<16> y);
control C(in bit<32> a) {
    apply { f(x = a, y = 0); } //~ ERROR
}
