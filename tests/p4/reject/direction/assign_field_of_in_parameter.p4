// spec: §6.8 Calling convention
struct S { bit<8> f; }
control C(in S s) {
    apply { s.f = 1; } //~ ERROR
}
