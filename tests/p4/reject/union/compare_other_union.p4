// spec: §8.20 Operations on header unions
header A { bit<8> f; }
header_union U { A a; }
header_union V { A a; }
control C(in U u, in V v, out bool b) {
    apply { b = u == v; } //~ ERROR
}
