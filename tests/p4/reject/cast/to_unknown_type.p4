// spec: §8.12 Casts
control C(in bit<8> x, out bit<8> y) {
    apply { y = (Unknown)x; } //~ ERROR unknown
}
