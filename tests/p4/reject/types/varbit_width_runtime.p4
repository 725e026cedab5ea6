// spec: §7.1.6.4 Dynamically-sized bit-strings
control C(in bit<8> n) {
    varbit<(n)> x; //~ ERROR
    apply { }
}
