// spec: §8.5 Expressions on Booleans
control C(inout bit<1> x) {
    apply { if (x) { x = 0; } } //~ ERROR
}
