// spec: §7.2.8 Type nesting rules
extern E { E(); }
control C() {
    apply { tuple<E, bool> t; } //~ ERROR
}
