// spec: §8.20 Operations on header unions
header A { bit<8> f; }
header_union U { A a; }
header_union V { A a; }
control C(in U u, out V v) {
    apply { v = u; } //~ ERROR
}
