// spec: §14.1 Actions
control C() {
    action a<T>(in T x) { } //~ ERROR
    apply { }
}
