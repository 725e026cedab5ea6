// spec: §8.5 Expressions on Booleans
control C(inout bit<8> x) {
    apply { if (!x) { x = 1; } } //~ ERROR x == 0
}
