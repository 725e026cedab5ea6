// no warnings
// §14.2.1.4: the annotations stand at `entries`. Entries without a number follow in order.
match_kind { ternary }
control C(inout bit<8> x) {
    action a() { x = 1; }
    table t {
        key = { x : ternary; }
        actions = { a; }
        @noWarn("duplicate_priorities")
        @noWarn("entries_out_of_priority_order")
        entries = {
            priority = 20: 1 &&& 3 : a();
            priority = 30: 2 &&& 6 : a();
            priority = 30: 7 &&& 7 : a();
        }
        default_action = a;
    }
    table u {
        key = { x : ternary; }
        actions = { a; }
        priority_delta = 5;
        entries = {
            priority = 30: 1 &&& 3 : a();
            2 &&& 6 : a();
            7 &&& 7 : a();
        }
        default_action = a;
    }
    apply { t.apply(); u.apply(); }
}
