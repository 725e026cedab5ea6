// An action reads what no table has written yet.
match_kind { exact }
control C(inout bit<8> x) {
    bit<8> next_hop;
    action set_hop(bit<8> hop) { next_hop = hop; }
    action use_hop() { x = next_hop; } //~ WARN `next_hop` is read before it has a value
    table route { key = { x : exact; } actions = { set_hop; } default_action = set_hop(0); }
    table send { key = { x : exact; } actions = { use_hop; } default_action = use_hop; }
    apply {
        send.apply();
        route.apply();
    }
}
