// spec: §8.19.1 Header stack expressions
header H { bit<8> f; }
control C() {
    apply { H[2] s = { { 1 }, { 2 }, { 3 } }; } //~ ERROR
}
