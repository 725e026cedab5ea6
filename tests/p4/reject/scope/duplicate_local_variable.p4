// spec: §6.6.1 Scopes
control C(inout bit<8> x) {
    apply {
        bit<8> y = 1;
        bit<16> y = 2; //~ ERROR y
        x = y;
    }
}
