// spec: §7.1.6.2 Unsigned integers (bit-strings)
control C(in bit<8> n) {
    apply {
        bit<n> x; //~ ERROR known at compile time
    }
}
