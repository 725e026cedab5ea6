// spec: §14.2.1 Table properties
control C(inout bit<8> x) {
    action a() { }
    table t {
        reads { x : exact; } //~ ERROR key = {
        actions = { a; }
    }
    apply { t.apply(); }
}
