// spec: §8 Expressions
header H { bit<8> f; }
struct S { H[2] s; }
extern E { E(); S make(); tuple<bit<8>, S> both(); }
control C(out bit<8> x, out bool b) {
    E() e;
    apply {
        x = e.make().s[1].f;
        x = e.both()[1].s[0].f[7:4] ++ e.both()[0][3:0];
        b = e.make().s[0].isValid();
    }
}
