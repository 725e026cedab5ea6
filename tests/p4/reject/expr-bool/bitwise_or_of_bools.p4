// spec: §8 Expressions
control C(in bool x, out bool y) {
    apply { y = x | true; } //~ ERROR
}
