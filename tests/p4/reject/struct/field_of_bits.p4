// spec: §8.17 Operations on struct types
control C(in bit<8> s, out bit<8> x) {
    apply { x = s.f; } //~ ERROR
}
