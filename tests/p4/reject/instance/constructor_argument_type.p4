// spec: §15 Parameterization
control Inner()(bit<8> n) { apply { } }
control C() {
    Inner(true) i; //~ ERROR
    apply { i.apply(); }
}
