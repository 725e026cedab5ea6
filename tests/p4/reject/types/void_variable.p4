// spec: §7.1.1 The void type
control C() {
    apply { void x; } //~ ERROR
}
