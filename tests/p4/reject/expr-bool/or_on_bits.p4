// spec: §8.5 Expressions on Booleans
control C(in bit<1> x, out bool y) {
    apply { y = false || x; } //~ ERROR
}
