// spec: §8.2 Operations on error types
error { A, B }
control C(in error e, in bit<8> x, out bool y) {
    apply { y = e == x; } //~ ERROR
}
