// spec: §8.12.1 Explicit casts
control C(in bool x, out bit<8> y) {
    apply { y = (bit<8>)x; } //~ ERROR
}
