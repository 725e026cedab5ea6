// spec: §8.21 Method invocations and function calls
extern void f(in bit<32> x, in bit<32> y);
control C(in bit<32> a) {
    apply { f(x = a, z = a); } //~ ERROR
}
