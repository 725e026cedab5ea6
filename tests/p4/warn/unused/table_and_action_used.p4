// no warnings
match_kind { exact }
control C(inout bit<8> x) {
    action used() { x = 1; }
    action direct() { x = 3; }
    table applied { key = { x : exact; } actions = { used; } default_action = used; }
    apply { if (applied.apply().hit) { direct(); } }
}
