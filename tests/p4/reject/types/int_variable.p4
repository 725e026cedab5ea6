// spec: §11.2 Variables
control C() {
    apply { int x = 5; } //~ ERROR int
}
