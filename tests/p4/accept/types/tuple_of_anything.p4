// spec: §7.2.8 Type nesting rules
error { A }
header H { bit<8> f; }
struct S { bit<8> f; }
control C(inout H h, inout S s, in H[2] st) {
    apply {
        tuple<H, S, H[2], error> t;
        t = { h, s, st, error.A };
        h = t[0];
        s = t[1];
    }
}
