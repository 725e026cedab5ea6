// no warnings
// The longest prefix decides, in whatever order; narrow ternary entries stand before wide ones.
match_kind { lpm, ternary }
control C(inout bit<8> x, in bit<8> y) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : lpm; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            _ : b();
            0x10 &&& 0xF0 : a();
            0x12 : b();
        }
    }
    table u {
        key = { x : ternary; y : ternary; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            (0x12, _) : b();
            (0x10 &&& 0xF0, 1) : a();
            (_, 1) : a();
            (_, _) : b();
        }
    }
    apply { t.apply(); u.apply(); }
}
