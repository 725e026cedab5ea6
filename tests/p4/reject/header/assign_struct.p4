// spec: §8.18 Operations on headers
header H { bit<8> f; }
struct S { bit<8> f; }
control C(in S s, out H h) {
    apply { h = s; } //~ ERROR
}
