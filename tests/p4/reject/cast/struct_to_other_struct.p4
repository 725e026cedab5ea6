// spec: §8.12.1 Explicit casts
struct S { bit<8> f; }
struct T { bit<8> f; }
control C(in S s, out T t) {
    apply { t = (T)s; } //~ ERROR
}
