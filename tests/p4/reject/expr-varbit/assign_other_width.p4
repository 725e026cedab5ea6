// spec: §8.11 Operations on variable-size bit types
control C(in varbit<16> x, out varbit<32> y) {
    apply { y = x; } //~ ERROR
}
