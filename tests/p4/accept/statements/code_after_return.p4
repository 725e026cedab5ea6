// spec: §12.4 Return statement
bit<8> f() { return 1; }
control C(inout bit<8> x) {
    apply { return; x = f(); }
}
