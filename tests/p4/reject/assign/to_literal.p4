// spec: §6.7 L-values
control C() {
    apply { 5 = 6; } //~ ERROR
}
