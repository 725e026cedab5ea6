// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply { for (x = 0; x < 4; bit<8> i = x) { } } //~ ERROR
}
