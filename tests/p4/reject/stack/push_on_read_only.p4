// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(in H[3] s) {
    apply { s.push_front(1); } //~ ERROR
}
