// spec: §12.4 Return statement
bool f(in bit<8> x) {
    return x; //~ ERROR
}
