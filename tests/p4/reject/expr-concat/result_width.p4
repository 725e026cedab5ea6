// spec: §8.10.1 Concatenation
control C(in bit<8> x, out bit<8> y) {
    apply { y = x ++ x; } //~ ERROR
}
