// spec: §8.11 Operations on variable-size bit types
control C(inout varbit<64> x, in varbit<64> y, out bool b) {
    apply { x = y; b = x == y; b = x != y; }
}
