// spec: §8.18 Operations on headers
header H { bit<8> f; }
control C(inout H h) {
    apply { if (h.isValid(true)) { h.f = 1; } } //~ ERROR
}
