// spec: §8.12.1 Explicit casts
header H { bit<8> f; }
control C(in H h, out bit<8> x) {
    apply { x = (bit<8>)h; } //~ ERROR
}
