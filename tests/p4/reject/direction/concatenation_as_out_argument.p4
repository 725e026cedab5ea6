// spec: §6.7 L-values
extern void get(out bit<16> x);
control C(inout bit<8> x, inout bit<8> y) {
    apply { get(x ++ y); } //~ ERROR
}
