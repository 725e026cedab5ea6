// spec: §6.4.1 Identifiers
control C(out bit<8> x) {
    apply { x = _; } //~ ERROR
}
