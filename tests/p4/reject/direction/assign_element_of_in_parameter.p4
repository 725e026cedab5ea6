// spec: §6.8 Calling convention
header H { bit<8> f; }
control C(in H[2] s, in H h) {
    apply { s[0] = h; } //~ ERROR
}
