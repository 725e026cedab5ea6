// spec: §8.10.1 Concatenation
control C(in bit<8> x, out bit<16> y) {
    apply { y = x ++ 3; } //~ ERROR
}
