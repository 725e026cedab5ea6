// spec: §8.18 Operations on headers
header H { bit<8> f; bit<8> g; }
control C(out H h) {
    apply { h = { 1 }; } //~ ERROR
}
