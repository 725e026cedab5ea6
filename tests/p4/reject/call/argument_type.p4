// spec: §8.21 Method invocations and function calls
extern void f(in bit<32> x);
control C() {
    apply { f(true); } //~ ERROR
}
