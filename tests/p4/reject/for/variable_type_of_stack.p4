// spec: §12.8 For statement
header H { bit<8> f; }
control C(in H[3] s, out bit<8> x) {
    apply { for (bit<8> h in s) { x = h; } } //~ ERROR
}
