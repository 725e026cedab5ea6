// spec: §8.20 Operations on header unions
header A { bit<8> f; }
header B { bit<16> g; }
header_union U { A a; B b; }
control C(inout U u, in A a) {
    apply { u.b = a; } //~ ERROR
}
