// spec: §F Restrictions on compile time and run time calls
bit<8> f() { return 1; }
control C(out bit<8> x) {
    apply { x = f; } //~ ERROR
}
