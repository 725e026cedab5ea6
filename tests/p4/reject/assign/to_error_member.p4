// spec: §6.7 L-values
error { A }
control C() {
    apply { error.A = error.A; } //~ ERROR
}
