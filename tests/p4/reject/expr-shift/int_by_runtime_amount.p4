// spec: §8.12.3 Illegal arithmetic expressions
control C(in bit<8> n, out bit<32> x) {
    apply { x = 1 << n; } //~ ERROR
}
