// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(in H[3] s, out H[2] t) {
    apply { t = s; } //~ ERROR
}
