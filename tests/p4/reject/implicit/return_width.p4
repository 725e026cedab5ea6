// spec: §12.4 Return statement
bit<16> f(in bit<8> x) {
    return x; //~ ERROR
}
