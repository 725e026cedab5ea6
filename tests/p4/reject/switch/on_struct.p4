// spec: §12.7.2 Switch statement with integer or enumerated type expression
struct S { bit<8> f; }
control C(in S s) {
    apply { switch (s) { default: { } } } //~ ERROR
}
