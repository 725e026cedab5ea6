// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
header I { bit<8> f; }
control C(in H[3] s, out I[3] t) {
    apply { t = s; } //~ ERROR
}
