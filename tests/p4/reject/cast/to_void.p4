// spec: §7.1.1 The void type
control C(in bit<8> x) {
    apply { bit<8> y = (void)x; } //~ ERROR
}
