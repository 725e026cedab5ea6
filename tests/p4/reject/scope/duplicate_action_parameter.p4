// spec: §6.6.1 Scopes
control C() {
    action a(bit<8> p, bit<8> p) { } //~ ERROR p
    apply { }
}
