// no warnings
// A struct of which a part was written is given on as it is; `inout` may fill it.
struct Meta { bit<8> a; bit<8> b; }
control Fill(inout Meta m) { apply { m.a = 1; m.b = 2; } }
control Use(in Meta m, inout bit<8> x) { apply { x = m.a; } }
control C(inout bit<8> x) {
    Fill() fill;
    Use() use;
    apply {
        Meta m;
        fill.apply(m);
        use.apply(m, x);
        Meta n;
        n.a = 1;
        use.apply(n, x);
        x = m.a;
    }
}
