// spec: §14.4 Invoking controls
control Inner(inout bit<8> x) { apply { } }
control C() {
    Inner() i;
    apply { i.apply(5); } //~ ERROR
}
