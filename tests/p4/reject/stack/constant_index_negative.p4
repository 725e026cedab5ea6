// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(inout H[3] s) {
    apply { s[-1].f = 1; } //~ ERROR
}
