// spec: §8.21 Method invocations and function calls
extern T same<T>(in T x);
control C(in bit<8> a, out bit<16> b) {
    apply { b = same(a); } //~ ERROR
}
