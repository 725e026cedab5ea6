match_kind { ternary }
control C(inout bit<8> x) {
    action a() { x = 1; }
    table t {
        key = { x : ternary; }
        actions = { a; }
        entries = {
            priority = 20: 1 &&& 3 : a();
            priority = 10: 2 &&& 6 : a();
            priority = 10: 7 &&& 7 : a(); //~ WARN two entries have priority 10 [duplicate_priorities]
        }
        default_action = a;
    }
    apply { t.apply(); }
}
