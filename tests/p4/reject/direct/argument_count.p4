// spec: §15.1 Direct type invocation
control Inner(inout bit<8> x) { apply { } }
control C() {
    apply { Inner.apply(); } //~ ERROR
}
