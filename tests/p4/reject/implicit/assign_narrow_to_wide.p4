// spec: §8.12.2 Implicit casts
control C(in bit<8> x, out bit<16> y) {
    apply { y = x; } //~ ERROR
}
