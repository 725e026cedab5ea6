// spec: §6.8 Calling convention
extern void get(out bit<8> x);
control C() {
    apply { get(8w1); } //~ ERROR
}
