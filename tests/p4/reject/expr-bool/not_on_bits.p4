// spec: §8.5 Expressions on Booleans
control C(in bit<8> x, out bool y) {
    apply { y = !x; } //~ ERROR
}
