// spec: §8.18 Operations on headers
struct S { bit<8> f; }
control C(out S s) {
    apply { s = {#}; } //~ ERROR
}
