// spec: §8.8 Operations on fixed-width signed integers
control C(in int<8> x, out int<4> y) {
    apply { y = x[3:0]; } //~ ERROR
}
