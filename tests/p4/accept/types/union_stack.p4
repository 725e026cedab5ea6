// spec: §7.2.3 Header stacks
header A { bit<8> f; }
header B { bit<16> g; }
header_union U { A a; B b; }
control C(inout U[3] s) {
    apply { s[0].a.setValid(); s[1].b = { 7 }; s[2] = s[0]; s.push_front(1); }
}
