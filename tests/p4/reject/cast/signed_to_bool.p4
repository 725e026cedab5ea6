// spec: §8.12.1 Explicit casts
control C(in int<1> x, out bool y) {
    apply { y = (bool)x; } //~ ERROR
}
