// spec: §20.3.9 No warnings annotation
control C() {
    @noWarn action a() { } //~ ERROR nowarn
    apply { a(); }
}
