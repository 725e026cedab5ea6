// spec: §14 Control blocks
control C() {
    struct S { bit<8> f; } //~ ERROR
    apply { }
}
