// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(in H[2] s, out bool b) {
    apply { b = s.isValid(); } //~ ERROR isvalid
}
