match_kind { range }
control C(inout bit<16> x) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : range; }
        actions = { a; b; }
        default_action = a;
        const entries = {
            100 .. 200 : a();
            150 .. 250 : b();
            160 .. 170 : b(); //~ WARN this entry never matches: another one takes all its keys
            180 : b(); //~ WARN this entry never matches: another one takes all its keys
            _ : a();
        }
    }
    apply { t.apply(); }
}
