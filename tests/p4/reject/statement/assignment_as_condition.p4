// spec: §12.6 Conditional statement
control C(inout bit<8> x) {
    apply { if (x = 1) { x = 2; } } //~ ERROR did you mean '=='
}
