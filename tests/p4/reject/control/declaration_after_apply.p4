// spec: §14 Control blocks
control C(inout bit<8> x) {
    apply { x = 1; }
    bit<8> y; //~ ERROR
}
