// spec: §8.5.1 Conditional operator
control C(in bool c, out bit<8> y) {
    apply { y = c ? 1 : 2; } //~ ERROR
}
