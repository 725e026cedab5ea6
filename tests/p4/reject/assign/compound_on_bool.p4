// spec: §12.1 Assignment statement
control C(inout bool x) {
    apply { x |= true; } //~ ERROR
}
