// spec: §15.1 Direct type invocation
control Inner()(bit<8> n) { apply { } }
control C() {
    apply { Inner.apply(); } //~ ERROR
}
