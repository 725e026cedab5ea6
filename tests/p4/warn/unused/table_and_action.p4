match_kind { exact }
control C(inout bit<8> x) {
    action used() { x = 1; }
    action orphan() { x = 2; } //~ WARN action `orphan` is never used
    action direct() { x = 3; }
    table applied { key = { x : exact; } actions = { used; } default_action = used; }
    table idle { key = { x : exact; } actions = { used; } default_action = used; } //~ WARN table `idle` is never applied
    apply { applied.apply(); direct(); }
}
