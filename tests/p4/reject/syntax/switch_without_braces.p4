// spec: §12.7 Switch statement
control C(in bit<8> x) {
    apply { switch (x) 1: { } } //~ ERROR
}
