// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, in bit<9> y, out bit<8> z) {
    apply { z = x - y; } //~ ERROR
}
