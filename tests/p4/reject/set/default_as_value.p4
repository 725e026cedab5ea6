// spec: §8.16 Operations on sets
control C(out bit<8> x) {
    apply { x = default; } //~ ERROR
}
