// spec: §6.9 Name resolution
control C(inout bit<8> x) {
    bit<8> local = 1;
    apply { x = .local; } //~ ERROR local
}
