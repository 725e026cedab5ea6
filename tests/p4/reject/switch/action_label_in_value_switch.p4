// spec: §12.7.2 Switch statement with integer or enumerated type expression
control C(in bit<8> x) {
    action a() { }
    apply { switch (x) { a: { } } } //~ ERROR
}
