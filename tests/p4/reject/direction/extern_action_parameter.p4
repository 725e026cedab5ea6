// spec: §14.1 Actions
extern E { E(); }
control C() {
    action a(E e) { } //~ ERROR
    apply { }
}
