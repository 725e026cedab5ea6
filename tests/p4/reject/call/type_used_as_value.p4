// spec: §8 Expressions
header H { bit<8> f; }
control C(out H h) {
    apply { h = H; } //~ ERROR
}
