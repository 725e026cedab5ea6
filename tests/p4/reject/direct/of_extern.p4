// spec: §15.1 Direct type invocation
extern E { E(); void put(); }
control C() {
    apply { E.apply(); } //~ ERROR
}
