// spec: §8.8 Operations on fixed-width signed integers
control C(inout int<8> x, in int<8> n) {
    apply { x = x >> n; } //~ ERROR
}
