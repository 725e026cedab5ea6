// spec: §8.2 Operations on error types
error { Overheated }
control C(out error e) {
    apply { e = error.Frozen; } //~ ERROR frozen
}
