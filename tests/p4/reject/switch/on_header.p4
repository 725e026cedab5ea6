// spec: §12.7.2 Switch statement with integer or enumerated type expression
header H { bit<8> f; }
control C(in H h) {
    apply { switch (h) { default: { } } } //~ ERROR
}
