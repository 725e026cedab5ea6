match_kind { exact }
control C(inout bit<8> x) {
    action a() { x = 1; }
    action b(bit<8> v) { x = v; }
    table one { //~ WARN table `one` always runs its default action
        key = { x : exact; }
        actions = { a; }
        const default_action = a;
    }
    table empty { //~ WARN table `empty` always runs its default action
        key = { x : exact; }
        actions = { a; b; }
        const default_action = a;
        const entries = { }
    }
    table only { //~ WARN table `only` always runs its default action
        key = { x : exact; }
        actions = { @defaultonly a; @defaultonly b; }
        const default_action = b(3);
    }
    apply { one.apply(); empty.apply(); only.apply(); }
}
