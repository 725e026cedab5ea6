// spec: §12.1 Assignment statement
control C(inout bool x) {
    apply { if (x = true) { } } //~ ERROR
}
