// spec: §8.5.1 Conditional operator
control C(in bit<1> x, out bit<8> y) {
    apply { y = x ? 8w1 : 8w2; } //~ ERROR
}
