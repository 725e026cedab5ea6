// spec: §8.7 Operations on fixed-width bit types
control C(inout bit<8> x, in bit<8> y) {
    apply { x[3:0] = y; } //~ ERROR
}
