// spec: §8.12.3 Illegal arithmetic expressions
control C(in int<8> x, out bit<16> y) {
    apply { y = (bit<16>)x; } //~ ERROR
}
