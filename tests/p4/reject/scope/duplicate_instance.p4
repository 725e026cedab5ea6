// spec: §6.6.1 Scopes
extern E { E(); }
control C() {
    E() e;
    E() e; //~ ERROR e
    apply { }
}
