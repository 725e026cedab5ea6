// spec: §7.2.10.2 Extern objects
extern void f(in bit<8> x);
extern void f(in bit<8> x, in bit<8> y);
control C() {
    apply { f(x = 1, z = 2); } //~ ERROR
}
