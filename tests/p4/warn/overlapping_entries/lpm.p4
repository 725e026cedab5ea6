match_kind { lpm }
control C(inout bit<8> x) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : lpm; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            0x10 &&& 0xF0 : a();
            0x1F &&& 0xF0 : b(); //~ WARN this entry never matches: another one has the same key
        }
    }
    apply { t.apply(); }
}
