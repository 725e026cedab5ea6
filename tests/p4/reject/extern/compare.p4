// spec: §8.23 Operations on extern objects
extern E { E(); }
control C(out bool same) {
    E() a;
    E() b;
    apply { same = a == b; } //~ ERROR
}
