match_kind { exact }
control C(inout bit<8> x, in bit<8> y) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : exact; y : exact; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            (1, 1) : a();
            (1, 2) : b();
            (1, 1) : b(); //~ WARN this entry never matches: another one has the same key
        }
    }
    apply { t.apply(); }
}
