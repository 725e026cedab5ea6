// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, out bit<4> y) {
    apply { y = x[8+:4]; } //~ ERROR
}
