// spec: §12.6 Conditional statement
control C(inout bit<1> x) {
    apply { if (1) { x = 0; } } //~ ERROR
}
