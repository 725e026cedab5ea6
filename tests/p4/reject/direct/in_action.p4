// spec: §14.1 Actions
control Inner() { apply { } }
control C() {
    action a() { Inner.apply(); } //~ ERROR
    apply { a(); }
}
