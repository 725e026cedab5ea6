// spec: §8.13 Operations on tuple expressions
control C(in tuple<bit<8>, bool> a, out tuple<bool, bit<8>> b) {
    apply { b = a; } //~ ERROR
}
