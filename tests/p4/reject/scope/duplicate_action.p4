// spec: §6.6.1 Scopes
control C() {
    action a() { }
    action a() { } //~ ERROR a
    apply { a(); }
}
