// spec: §8.8 Operations on fixed-width signed integers
control C(in int<8> x, in bit<8> y, out int<8> z) {
    apply { z = x |-| y; } //~ ERROR
}
