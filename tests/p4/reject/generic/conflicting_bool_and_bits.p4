// spec: §8.21 Method invocations and function calls
extern void f<T>(in T x, in T y);
control C(in bit<8> a, in bool b) {
    apply { f(a, b); } //~ ERROR
}
