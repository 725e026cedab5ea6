// spec: §6.10 Visibility
control A(inout bit<8> x) {
    action secret() { x = 1; }
    apply { secret(); }
}
control B(inout bit<8> x) {
    apply { secret(); } //~ ERROR secret
}
