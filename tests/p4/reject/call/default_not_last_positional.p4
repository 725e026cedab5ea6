// spec: §6.8 Calling convention
extern void f(in bit<8> head, in bit<8> mid = 2, in bit<16> tail);
control C() {
    apply { f(1, 3); } //~ ERROR
}
