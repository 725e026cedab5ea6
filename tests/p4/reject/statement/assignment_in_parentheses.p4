// spec: §8.1 Expression evaluation order
control C(inout bit<8> x) {
    apply { x = 1 + (x = 1); } //~ ERROR did you mean '=='
}
