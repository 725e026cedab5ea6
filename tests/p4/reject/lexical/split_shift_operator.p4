// spec: §8 Expressions
control C(inout bit<8> x) {
    apply { x = x > > 1; } //~ ERROR
}
