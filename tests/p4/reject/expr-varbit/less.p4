// spec: §8.11 Operations on variable-size bit types
control C(in varbit<16> x, out bool y) {
    apply { y = x < x; } //~ ERROR
}
