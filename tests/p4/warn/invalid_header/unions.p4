header A { bit<8> f; }
header B { bit<8> g; }
header_union U { A a; B b; }
control C(inout U u, inout bit<8> x) {
    apply {
        u.a.setValid();
        u.a.f = 1;
        x = u.b.g; //~ WARN read of a field of `u.b`, which is invalid here
    }
}
