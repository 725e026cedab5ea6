// spec: §12.1 Assignment statement
control C(in bit<8> x) {
    apply { x += 1; } //~ ERROR
}
