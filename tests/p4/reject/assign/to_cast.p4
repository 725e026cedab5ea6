// spec: §6.7 L-values
control C(inout bit<8> x) {
    apply { (bit<8>)x = 5; } //~ ERROR
}
