// spec: §8.11 Operations on variable-size bit types
control C(inout varbit<16> x) {
    apply { x = x + x; } //~ ERROR
}
