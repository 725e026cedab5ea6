// spec: §8.12.2 Implicit casts
control C(in int<8> x, out bit<8> y) {
    apply { y = x; } //~ ERROR
}
