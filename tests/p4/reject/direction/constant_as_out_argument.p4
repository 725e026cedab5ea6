// spec: §6.8 Calling convention
extern void get(out bit<8> x);
const bit<8> N = 1;
control C() {
    apply { get(N); } //~ ERROR
}
