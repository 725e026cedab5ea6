// spec: §8.19.1 Header stack expressions
header H { bit<8> f; }
header I { bit<8> f; }
control C(in I i) {
    apply { H[2] s = { { 1 }, i }; } //~ ERROR
}
