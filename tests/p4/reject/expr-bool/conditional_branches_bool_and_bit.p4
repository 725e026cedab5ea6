// spec: §8.5.1 Conditional operator
control C(in bool c, out bit<1> y) {
    apply { y = c ? 1w1 : true; } //~ ERROR
}
