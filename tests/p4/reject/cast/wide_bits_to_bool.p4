// spec: §8.12.1 Explicit casts
control C(in bit<8> x, out bool y) {
    apply { y = (bool)x; } //~ ERROR
}
