// spec: §8.18 Operations on headers
struct S { bit<8> f; }
control C(in S s, out bool b) {
    apply { b = s.isValid(); } //~ ERROR isvalid
}
