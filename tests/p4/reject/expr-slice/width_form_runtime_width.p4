// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, in bit<8> n, out bit<4> y) {
    apply { y = x[0+:n]; } //~ ERROR
}
