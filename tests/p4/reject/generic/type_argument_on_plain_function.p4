// spec: §8.21 Method invocations and function calls
extern void f(in bit<8> x);
control C(in bit<8> a) {
    apply { f<bit<8>>(a); } //~ ERROR
}
