// spec: §8.12.3 Illegal arithmetic expressions
control C(in bit<16> x, out int<8> y) {
    apply { y = (int<8>)x; } //~ ERROR
}
