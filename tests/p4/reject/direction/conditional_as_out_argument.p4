// spec: §6.7 L-values
extern void get(out bit<8> x);
control C(inout bit<8> x, inout bit<8> y, in bool c) {
    apply { get(c ? x : y); } //~ ERROR
}
