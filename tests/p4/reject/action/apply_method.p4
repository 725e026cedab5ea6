// spec: §14.1.1 Invoking actions
control C() {
    action a() { }
    apply { a.apply(); } //~ ERROR
}
