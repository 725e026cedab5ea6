// spec: §7.2.9.1 Set types
extern void f(in bit<8> x);
control C() {
    apply { f(8w1 &&& 8w3); } //~ ERROR
}
