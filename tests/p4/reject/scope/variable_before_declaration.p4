// spec: §6.6.1 Scopes
control C(inout bit<8> x) {
    apply {
        x = y; //~ ERROR y
        bit<8> y = 1;
    }
}
