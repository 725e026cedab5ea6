// spec: §8.11 Operations on variable-size bit types
control C(in bit<16> x, out varbit<16> y) {
    apply { y = x; } //~ ERROR
}
