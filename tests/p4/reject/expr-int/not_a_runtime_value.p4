// spec: §7.1.6.5 Arbitrary-precision integers
control C(in bit<8> x) {
    apply { const int y = (int)x; } //~ ERROR
}
