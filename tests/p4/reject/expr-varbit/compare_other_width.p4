// spec: §8.11 Operations on variable-size bit types
control C(in varbit<16> x, in varbit<32> y, out bool z) {
    apply { z = x == y; } //~ ERROR
}
