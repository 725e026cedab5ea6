// spec: §8.5 Expressions on Booleans
control C(in bool x, out bool y) {
    apply { y = x < true; } //~ ERROR
}
