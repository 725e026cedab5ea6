// spec: §8.17 Operations on struct types
struct S { bit<8> f; }
struct T { bit<8> f; }
control C(in S s, out T t) {
    apply { t = s; } //~ ERROR
}
