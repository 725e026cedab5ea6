// spec: §8.12.1 Explicit casts
struct S { bit<8> f; }
control C(out S s, in bit<8> x) {
    apply { s = (S)x; } //~ ERROR
}
