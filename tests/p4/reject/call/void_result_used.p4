// spec: §7.1.1 The void type
extern void f();
control C(out bit<8> x) {
    apply { x = f(); } //~ ERROR
}
