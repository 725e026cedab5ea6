// spec: §8.12.3 Illegal arithmetic expressions
control C(in bit<8> x, in int<8> y, out bit<8> z) {
    apply { z = x + y; } //~ ERROR
}
