// spec: §8.7 Operations on fixed-width bit types
control C(inout bit<8> x) {
    apply { x[9:8] = 1; } //~ ERROR
}
