// spec: §14.1 Actions
control C(out bit<8> x) {
    action a() { }
    apply { x = a(); } //~ ERROR
}
