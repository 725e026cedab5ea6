// spec: §F Restrictions on compile time and run time calls
control C() {
    action a() { a(); } //~ ERROR
    apply { a(); }
}
