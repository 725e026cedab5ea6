// spec: §8.21 Method invocations and function calls
struct S { bit<8> f; }
control C(in S s) {
    apply { s.f(); } //~ ERROR
}
