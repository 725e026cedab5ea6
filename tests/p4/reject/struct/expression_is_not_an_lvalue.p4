// spec: §8.14 Operations on structure-valued expressions
struct S { bit<8> f; }
control C() {
    apply { (S) { f = 1 } = (S) { f = 2 }; } //~ ERROR
}
