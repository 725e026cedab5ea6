// spec: §12.5 Exit statement
void f(in bit<8> x) {
    exit; //~ ERROR exit
}
