// spec: §12.7.3 Notes common to all switch statements
control C(in bit<8> x) {
    apply { switch (x) { 1: { break; } } } //~ ERROR break
}
