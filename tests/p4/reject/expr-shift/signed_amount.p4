// spec: §8.12.3 Illegal arithmetic expressions
control C(in int<8> n, inout bit<8> x) {
    apply { x = x << n; } //~ ERROR
}
