// spec: §8.18 Operations on headers
header H { bit<8> f; }
control C(in bit<8> x, out H h) {
    apply { h = x; } //~ ERROR
}
