// spec: §11.2 Variables
extern E { E(); }
control C() {
    apply { E e; } //~ ERROR
}
