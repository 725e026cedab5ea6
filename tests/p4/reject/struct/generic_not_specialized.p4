// spec: §7.2.11 Type specialization
struct S<T> { T f; }
control C() {
    S s; //~ ERROR
    apply { }
}
