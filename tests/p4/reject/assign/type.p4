// spec: §12.1 Assignment statement
control C(out bit<8> x) {
    apply { x = true; } //~ ERROR
}
