// spec: §8.18 Operations on headers
header H { bit<8> f; }
header I { bit<8> f; }
control C(in H h, out I i) {
    apply { i = h; } //~ ERROR
}
