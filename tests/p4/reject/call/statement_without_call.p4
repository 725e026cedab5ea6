// spec: §12 Statements
control C(in bit<8> x) {
    apply { x; } //~ ERROR
}
