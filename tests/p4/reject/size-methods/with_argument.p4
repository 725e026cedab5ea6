// spec: §9 Compile-time size determination
control C(in bit<8> x, out bit<32> n) {
    apply { n = x.minSizeInBits(1); } //~ ERROR
}
