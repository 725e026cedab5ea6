// spec: §8.5 Expressions on Booleans
control C(inout bit<8> x, in bool b) {
    apply { if (b && x & 1) { x = 1; } } //~ ERROR (x & 1) != 0
}
