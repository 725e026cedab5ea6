// spec: §8.17 Operations on struct types
struct S { bit<8> f; }
control C(in S s, out bit<4> y) {
    apply { y = s[3:0]; } //~ ERROR
}
