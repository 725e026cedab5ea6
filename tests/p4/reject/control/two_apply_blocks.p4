// spec: §14 Control blocks
control C(inout bit<8> x) {
    apply { x = 1; }
    apply { x = 2; } //~ ERROR
}
