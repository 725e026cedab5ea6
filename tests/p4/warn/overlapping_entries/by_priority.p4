// The first entry has the lower priority, so that it is the one that never matches.
match_kind { ternary }
control C(inout bit<8> x) {
    action a() { x = 1; }
    action b() { x = 2; }
    table t {
        key = { x : ternary; }
        actions = { a; b; }
        default_action = a;
        @noWarn("entries_out_of_priority_order")
        entries = {
            priority = 10: 0x12 : a(); //~ WARN this entry never matches: another one takes all its keys
            priority = 20: 0x10 &&& 0xF0 : b();
        }
    }
    apply { t.apply(); }
}
