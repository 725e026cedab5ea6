// spec: §14.1 Actions
control C() {
    action a { } //~ ERROR
    apply { }
}
