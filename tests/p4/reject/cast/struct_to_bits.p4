// spec: §8.12.1 Explicit casts
struct S { bit<8> f; }
control C(in S s, out bit<8> x) {
    apply { x = (bit<8>)s; } //~ ERROR
}
