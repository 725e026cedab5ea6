// spec: §6.8 Calling convention
extern void get(out bit<8> x);
control C(in bit<8> x) {
    apply { get(x); } //~ ERROR
}
