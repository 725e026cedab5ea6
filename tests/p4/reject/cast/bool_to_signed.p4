// spec: §8.12.1 Explicit casts
control C(in bool x, out int<1> y) {
    apply { y = (int<1>)x; } //~ ERROR
}
