// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, in bit<16> y, out bool z) {
    apply { z = x == y; } //~ ERROR
}
