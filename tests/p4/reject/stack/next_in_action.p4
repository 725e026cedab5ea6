// spec: §8.19 Operations on header stacks
header H { bit<8> f; }
control C(inout H[3] s) {
    action a() { s.next.f = 1; } //~ ERROR next
    apply { a(); }
}
