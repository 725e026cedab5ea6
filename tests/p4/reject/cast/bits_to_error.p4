// spec: §8.12.1 Explicit casts
control C(in bit<8> x, out error e) {
    apply { e = (error)x; } //~ ERROR
}
