// spec: §6.7 L-values
control C() {
    action a() { }
    apply { a = 5; } //~ ERROR
}
