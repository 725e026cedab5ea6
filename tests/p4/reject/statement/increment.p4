// spec: §12.1 Assignment statement
struct S { bit<8> n; }
control C(inout S s) {
    apply { s.n++; } //~ ERROR write s.n = s.n + 1;
}
