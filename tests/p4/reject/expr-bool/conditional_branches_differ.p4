// spec: §8.5.1 Conditional operator
control C(in bool c, out bit<8> y) {
    apply { y = c ? 8w1 : 16w2; } //~ ERROR
}
