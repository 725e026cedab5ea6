// spec: §8.2 Operations on error types
error { A, B }
control C(out error e) {
    apply { e = 1; } //~ ERROR
}
