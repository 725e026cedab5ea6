// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(inout H h) {
    apply { h.push_front(1); } //~ ERROR push_front
}
