// spec: §12.8 For statement
control C(in bit<8> x) {
    apply { if (x == 1) { break; } } //~ ERROR break
}
