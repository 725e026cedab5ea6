// spec: §12.1 Assignment statement
control C(inout bit<8> x, in bit<16> y) {
    apply { x += y; } //~ ERROR
}
