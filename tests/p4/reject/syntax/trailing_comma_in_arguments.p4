// spec: §8.21 Method invocations and function calls
extern void f(in bit<8> x);
control C() {
    apply { f(1, ); } //~ ERROR
}
