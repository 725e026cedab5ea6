// no warnings
// An instance may also be used by a table's property, and a control by its name.
match_kind { exact }
extern Counter { Counter(); }
control Inner(inout bit<8> x) { apply { x = x + 1; } }
control C(inout bit<8> x) {
    Counter() hits;
    action a() { x = 1; }
    table t { key = { x : exact; } actions = { a; } default_action = a; counters = hits; }
    apply { t.apply(); Inner.apply(x); }
}
