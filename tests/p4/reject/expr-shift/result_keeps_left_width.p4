// spec: §8.10.2 A note about shifts
control C(in bit<8> x, out bit<16> y) {
    apply { y = x << 8; } //~ ERROR
}
