// spec: §15 Parameterization
control Inner()(bit<8> n) { apply { } }
control C(in bit<8> x) {
    Inner(x) i; //~ ERROR
    apply { i.apply(); }
}
