// spec: §15.1 Direct type invocation
struct S { bit<8> f; }
control C() {
    apply { S.apply(); } //~ ERROR
}
