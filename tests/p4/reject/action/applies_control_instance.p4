// spec: §14.1 Actions
control Inner() { apply { } }
control C() {
    Inner() i;
    action a() { i.apply(); } //~ ERROR
    apply { a(); }
}
