// spec: §8.10.1 Concatenation
control C(in int<8> x, in bit<8> z, out bit<16> y) {
    apply { y = x ++ z; } //~ ERROR
}
