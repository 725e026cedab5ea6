// spec: §8.17 Operations on struct types
struct S { bit<8> f; }
control C(in S s, out bit<8> x) {
    apply { x = s.g; } //~ ERROR g
}
