// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply { for (bit<8> i in 8w0 .. 16w3) { x = i; } } //~ ERROR
}
