// spec: §14.2.1 Table properties
control C(inout bit<8> x) {
    action a() { }
    table t {
        actions { a; } //~ ERROR write actions = {
    }
    apply { t.apply(); }
}
