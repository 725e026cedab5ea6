// spec: §14 Control blocks
control C(inout bit<8> x) {
    state start { } //~ ERROR
    apply { }
}
