// spec: §11.3 Instantiations
struct S { bit<8> f; }
control C() {
    S() s; //~ ERROR
    apply { }
}
