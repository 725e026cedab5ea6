// spec: §6.9 Name resolution
control C(inout bit<8> x) {
    table t {
        actions = { set; } //~ ERROR line 7
        const default_action = set(); //~ ERROR move the declaration above
    }
    action set() { x = 1; }
    apply { t.apply(); }
}
