// spec: §7.2.11 Type specialization
struct S<T, U> { T f; U g; }
control C() {
    S<bit<8>> s; //~ ERROR
    apply { }
}
