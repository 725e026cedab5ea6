// spec: §8.23 Operations on extern objects
extern E { E(); bit<8> get(); }
control C(out bit<8> x) {
    E() e;
    apply { x = e.get; } //~ ERROR
}
