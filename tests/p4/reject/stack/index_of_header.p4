// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(inout H h) {
    apply { h[0].f = 1; } //~ ERROR
}
