// spec: §8.26 Reading uninitialized values and writing fields of invalid headers
header H { bit<8> f; }
control C(out bit<8> x) {
    bit<8> y;
    H h;
    apply { x = y + h.f; h.f = x; }
}
