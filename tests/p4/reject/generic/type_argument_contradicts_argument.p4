// spec: §8.21 Method invocations and function calls
extern void f<T>(in T x);
control C(in bit<8> a) {
    apply { f<bit<16>>(a); } //~ ERROR
}
