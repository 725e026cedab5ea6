// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(in H[3] s, in H[2] t, out bool b) {
    apply { b = s == t; } //~ ERROR
}
