// spec: §8.2 Operations on error types
error { A, B }
control C(in error e, out bool y) {
    apply { y = e < error.A; } //~ ERROR
}
