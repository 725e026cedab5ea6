// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply { for (bit<8> i = 0; i; i = i + 1) { x = x + i; } } //~ ERROR
}
