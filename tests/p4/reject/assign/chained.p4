// spec: §12.1 Assignment statement
control C(out bit<8> x, out bit<8> y) {
    apply { x = y = 5; } //~ ERROR
}
