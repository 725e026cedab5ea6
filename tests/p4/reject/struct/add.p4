// spec: §8.17 Operations on struct types
struct S { bit<8> f; }
control C(inout S s) {
    apply { s = s + s; } //~ ERROR
}
