// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(in H[3] s, out bit<8> x) {
    apply { x = s.last.f; } //~ ERROR last
}
