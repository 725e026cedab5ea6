// spec: §12.4 Return statement
control C() {
    apply { return 5; } //~ ERROR
}
