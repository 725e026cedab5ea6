// spec: §7.2.14 Don't care types
control C() {
    apply { _ x; } //~ ERROR
}
