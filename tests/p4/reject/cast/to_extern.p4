// spec: §8.23 Operations on extern objects
extern E { E(); }
control C() {
    E() e;
    apply { bit<8> y = (E)e; } //~ ERROR
}
