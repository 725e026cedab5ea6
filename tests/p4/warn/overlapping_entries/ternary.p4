match_kind { exact, ternary }
control C(inout bit<8> x, in bit<8> y) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : ternary; y : exact; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            (0x10 &&& 0xF0, 1) : a();
            (0x12, 2) : b();
            (0x12, 1) : b(); //~ WARN this entry never matches: another one takes all its keys
            (_, 1) : b();
            (0x23 &&& 0x7F, 1) : a(); //~ WARN this entry never matches: another one takes all its keys
        }
    }
    apply { t.apply(); }
}
