// spec: §7.1.1 The void type
extern void f();
extern void g(in bit<8> x);
control C() {
    apply { g(f()); } //~ ERROR
}
