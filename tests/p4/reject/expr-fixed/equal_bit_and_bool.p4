// spec: §8.5 Expressions on Booleans
control C(in bit<1> x, in bool y, out bool z) {
    apply { z = x == y; } //~ ERROR
}
