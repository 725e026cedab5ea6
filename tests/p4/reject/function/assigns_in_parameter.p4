// spec: §6.8 Calling convention
void f(in bit<8> x) {
    x = 1; //~ ERROR
}
