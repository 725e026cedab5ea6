// spec: §14.1 Actions
control C() {
    apply { action a() { } } //~ ERROR
}
