// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(inout H[4] s) {
    apply { s[1:0] = s[3:2]; } //~ ERROR
}
