// spec: §12.6 Conditional statement
control C(inout bool x) {
    apply { else { x = false; } } //~ ERROR
}
