// spec: §11.3 Instantiations
extern E { E(); }
control C() {
    action a() { E() e; } //~ ERROR
    apply { a(); }
}
