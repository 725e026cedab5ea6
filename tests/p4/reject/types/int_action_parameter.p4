// spec: §7.1.6.5 Arbitrary-precision integers
control C() {
    action a(int x) { } //~ ERROR int
    apply { }
}
