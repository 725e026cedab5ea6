// spec: §12.1 Assignment statement
extern E { E(); }
control C() {
    E() a;
    E() b;
    apply { a = b; } //~ ERROR
}
