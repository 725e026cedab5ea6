// spec: §12.4 Return statement
control C() {
    action a() { return 5; } //~ ERROR
    apply { a(); }
}
