// spec: §8.20 Operations on header unions
header A { bit<8> f; }
header B { bit<16> g; }
header_union U { A a; B b; }
control C(inout U u, in U v, in A a, out bool b) {
    apply {
        u.a = a;
        u.b = { 16w1 };
        u.a.setValid();
        u.b.setInvalid();
        u.a.f = 3;
        b = u.isValid() || u.a.isValid();
        u = v;
        b = u == v || u != v;
        u = (U) {#};
        U w = (U) {#};
    }
}
