// §14.2.1.4: by default the larger number wins; `largest_priority_wins = false` turns it round.
match_kind { ternary }
control C(inout bit<8> x) {
    action a() { x = 1; }
    table t {
        key = { x : ternary; }
        actions = { a; }
        entries = {
            priority = 20: 1 &&& 3 : a();
            priority = 30: 2 &&& 6 : a(); //~ WARN of priority 30, goes before the one above it, of priority 20
            priority = 10: 7 &&& 7 : a();
        }
        default_action = a;
    }
    table u {
        key = { x : ternary; }
        actions = { a; }
        largest_priority_wins = false;
        entries = {
            priority = 20: 1 &&& 3 : a();
            priority = 30: 2 &&& 6 : a();
            priority = 10: 7 &&& 7 : a(); //~ WARN of priority 10, goes before the one above it, of priority 30
        }
        default_action = a;
    }
    apply { t.apply(); u.apply(); }
}
