// spec: §F Restrictions on compile time and run time calls
extern bit<8> rand();
bit<8> f() { return rand(); }
bit<8> g() { bit<8> x = rand(); return f() + x; }
control C(out bit<8> x) {
    bit<8> y = rand() + f();
    apply { x = g() + y; }
}
