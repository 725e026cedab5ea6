// spec: §6.9 Name resolution
control C() {
    apply { nothing.apply(); } //~ ERROR nothing
}
