// spec: §7.1.6.2 Unsigned integers
control C(in bit<8> n) {
    bit<(n)> x; //~ ERROR
    apply { }
}
