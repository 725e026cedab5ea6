// no warnings
// Entries choose data, or the program asks for a hit, or the default may be changed; a table
// without keys only wraps its action.
match_kind { exact }
control C(inout bit<8> x) {
    action a() { x = 1; }
    action b(bit<8> v) { x = v; }
    table data { key = { x : exact; } actions = { b; } const default_action = b(3); }
    table asked { key = { x : exact; } actions = { a; } const default_action = a; }
    table open { key = { x : exact; } actions = { a; } default_action = a; }
    table wrapper { actions = { a; } const default_action = a; }
    apply {
        data.apply();
        open.apply();
        wrapper.apply();
        if (asked.apply().hit) { x = 2; }
    }
}
