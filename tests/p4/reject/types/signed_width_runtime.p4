// spec: §7.1.6.3 Signed integers
control C(in bit<8> n) {
    int<(n)> x; //~ ERROR
    apply { }
}
