// spec: §6.7 L-values
control C(inout bit<8> x) {
    apply { x + 1 = 5; } //~ ERROR
}
