// spec: §8.22 Constructor invocations
extern E { E(); }
control C() {
    apply { E(); } //~ ERROR
}
