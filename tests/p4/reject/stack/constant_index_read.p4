// spec: §8.26 Reading uninitialized values and writing fields of invalid headers
header H { bit<8> f; }
control C(in H[3] s, out bit<8> x) {
    apply { x = s[7].f; } //~ ERROR
}
