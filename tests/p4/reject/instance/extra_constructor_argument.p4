// spec: §15 Parameterization
control Inner() { apply { } }
control C() {
    Inner(1) i; //~ ERROR
    apply { i.apply(); }
}
