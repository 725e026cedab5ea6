// spec: §8.7 Operations on fixed-width bit types
control C(in bool x, out bit<1> y) {
    apply { y = x[0:0]; } //~ ERROR
}
