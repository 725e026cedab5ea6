// no warnings
// What a table's actions write counts as written behind it: the control plane sees to it.
match_kind { exact }
control C(inout bit<8> x) {
    bit<8> next_hop;
    action set_hop(bit<8> hop) { next_hop = hop; }
    action none() { }
    action use_hop() { x = next_hop; }
    table route { key = { x : exact; } actions = { set_hop; none; } default_action = none; }
    table send { key = { next_hop : exact; } actions = { use_hop; } default_action = use_hop; }
    apply {
        route.apply();
        send.apply();
    }
}
