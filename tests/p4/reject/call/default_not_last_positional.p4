// spec: §6.8 Calling convention
extern void f(in bit<8> a, in bit<3> b = 2, in bit<5> c);
control C() {
    apply { f(1, 3); } //~ ERROR
}
