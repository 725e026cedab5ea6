// spec: §8.7 Operations on fixed-width bit types
control C(in bit<8> x, out bit<1> y) {
    apply { y = x[true:0]; } //~ ERROR
}
