// spec: §8 Expressions
control C(in bit<8> x) {
    apply { transition select(x) { 1: accept; } } //~ ERROR
}
