// spec: §15 Parameterization
control Inner()(bit<8> n) { apply { } }
control C() {
    bit<8> x = 5;
    Inner(x) i; //~ ERROR
    apply { i.apply(); }
}
