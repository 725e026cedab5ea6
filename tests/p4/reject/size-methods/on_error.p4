// spec: §9 Compile-time size determination
error { A }
control C(in error e, out bit<32> n) {
    apply { n = e.maxSizeInBits(); } //~ ERROR
}
