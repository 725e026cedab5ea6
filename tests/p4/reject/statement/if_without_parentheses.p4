// spec: §12.6 Conditional statement
control C(inout bool x) {
    apply { if x { x = false; } } //~ ERROR
}
