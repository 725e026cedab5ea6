// spec: §6.7 L-values
extern void get(out bit<8> x);
control C(inout bit<16> x) {
    apply { get((bit<8>)x); } //~ ERROR
}
