// spec: §11.3 Instantiations
extern E { E(); }
control C() {
    apply { E() e; } //~ ERROR
}
