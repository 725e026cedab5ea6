// spec: §6.7 L-values
header H { bit<8> f; }
control C(inout H h) {
    apply { h.minSizeInBits() = 8; } //~ ERROR
}
