// spec: §8.18 Operations on headers
header H { bit<8> f; }
control C(in H h, in H i, out bool b) {
    apply { b = h >= i; } //~ ERROR
}
