// spec: §8.10.1 Concatenation
control C(in bit<8> x, in bool b, out bit<9> y) {
    apply { y = x ++ b; } //~ ERROR
}
