// spec: §14.4 Invoking controls
control Inner(inout bit<8> x) { apply { } }
control C(inout bit<16> x) {
    Inner() i;
    apply { i.apply(x); } //~ ERROR
}
