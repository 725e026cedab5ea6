// spec: §6.8 Calling convention
extern void resize(bit<8> n);
control C(in bit<8> x) {
    apply { resize(x); } //~ ERROR
}
