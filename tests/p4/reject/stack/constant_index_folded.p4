// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
const bit<8> N = 2;
control C(inout H[3] s) {
    apply { s[N + 1].f = 1; } //~ ERROR
}
