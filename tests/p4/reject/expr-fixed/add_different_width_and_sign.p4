// spec: §8.12.3 Illegal arithmetic expressions
control C(in bit<16> x, in int<8> y, out bit<16> z) {
    apply { z = x + y; } //~ ERROR
}
