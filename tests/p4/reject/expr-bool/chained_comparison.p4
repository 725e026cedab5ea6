// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, out bool y) {
    apply { y = 1 < x < 5; } //~ ERROR
}
