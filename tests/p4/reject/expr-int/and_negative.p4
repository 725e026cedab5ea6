// spec: §8.12.3 Illegal arithmetic expressions
control C(out bit<8> x) {
    apply { x = 5 & -3; } //~ ERROR
}
