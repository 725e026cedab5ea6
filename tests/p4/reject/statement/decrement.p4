// spec: §12.1 Assignment statement
control C(inout bit<8> x) {
    apply { x--; } //~ ERROR write x = x - 1;
}
