// spec: §8.12.1 Explicit casts
struct S { bit<8> f; }
control C(out S s) {
    apply { s = (S){#}; } //~ ERROR
}
