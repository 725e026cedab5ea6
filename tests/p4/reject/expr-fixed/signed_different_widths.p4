// spec: §8.8 Operations on fixed-width signed integers
control C(in int<8> x, in int<16> y, out int<16> z) {
    apply { z = x + y; } //~ ERROR
}
