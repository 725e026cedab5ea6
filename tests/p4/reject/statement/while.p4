// spec: §12 Statements
control C(inout bool x) {
    apply { while (x) { x = false; } } //~ ERROR
}
