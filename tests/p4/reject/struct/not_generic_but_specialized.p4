// spec: §7.2.11 Type specialization
struct S { bit<8> f; }
control C() {
    S<bit<8>> s; //~ ERROR
    apply { }
}
