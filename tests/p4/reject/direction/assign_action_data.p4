// spec: §6.8 Calling convention
control C() {
    action a(bit<8> p) { p = 1; } //~ ERROR
    apply { a(1); }
}
