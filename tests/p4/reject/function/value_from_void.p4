// spec: §12.4 Return statement
void f(in bit<8> x) {
    return x; //~ ERROR
}
