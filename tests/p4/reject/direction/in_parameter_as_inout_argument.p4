// spec: §6.8 Calling convention
extern void change(inout bit<8> x);
control C(in bit<8> x) {
    apply { change(x); } //~ ERROR
}
