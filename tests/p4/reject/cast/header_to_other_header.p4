// spec: §8.12.1 Explicit casts
header H { bit<8> f; }
header I { bit<8> f; }
control C(in H h, out I i) {
    apply { i = (I)h; } //~ ERROR
}
