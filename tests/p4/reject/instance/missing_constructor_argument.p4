// spec: §15 Parameterization
control Inner()(bit<8> n) { apply { } }
control C() {
    Inner() i; //~ ERROR
    apply { i.apply(); }
}
