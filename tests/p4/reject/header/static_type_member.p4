// spec: §6.10 Visibility
header H { bit<8> f; }
control C(out bit<8> x) {
    apply { x = H.f; } //~ ERROR
}
