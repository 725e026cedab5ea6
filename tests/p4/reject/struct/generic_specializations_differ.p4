// spec: §7.2.11 Type specialization
struct S<T> { T f; }
control C(in S<bit<8>> a, out S<bit<16>> b) {
    apply { b = a; } //~ ERROR
}
