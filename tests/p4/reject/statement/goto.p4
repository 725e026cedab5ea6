// spec: §12 Statements
control C(inout bool x) {
    apply { goto end; } //~ ERROR
}
