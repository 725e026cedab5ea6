// spec: §14.1.1 Invoking actions
control C() {
    action a(out bit<8> y) { y = 1; }
    apply { a(5); } //~ ERROR
}
