// spec: §14 Control blocks
control C(inout bit<8> x) {
    x = 1; //~ ERROR
    apply { }
}
