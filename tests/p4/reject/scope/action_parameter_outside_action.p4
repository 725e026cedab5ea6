// spec: §6.6.1 Scopes
control C(inout bit<8> x) {
    action a(bit<8> p) { x = p; }
    apply { a(1); x = p; } //~ ERROR p
}
