// spec: §8.12.3 Illegal arithmetic expressions
control C(in bit<8> x, in bit<16> y, out bit<16> z) {
    apply { z = x + y; } //~ ERROR
}
