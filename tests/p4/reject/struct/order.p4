// spec: §8.17 Operations on struct types
struct S { bit<8> f; }
control C(in S s, in S t, out bool b) {
    apply { b = s < t; } //~ ERROR
}
