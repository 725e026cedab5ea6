// spec: §8.18 Operations on headers
header H { bit<8> f; }
struct S { H h; }
control C(in S s) {
    apply { s.h.setInvalid(); } //~ ERROR
}
