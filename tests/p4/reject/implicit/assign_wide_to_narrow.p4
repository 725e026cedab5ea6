// spec: §8.12.2 Implicit casts
control C(in bit<16> x, out bit<8> y) {
    apply { y = x; } //~ ERROR
}
