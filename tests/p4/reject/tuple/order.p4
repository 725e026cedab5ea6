// spec: §8.13 Operations on tuple expressions
control C(in tuple<bit<8>> a, in tuple<bit<8>> b, out bool c) {
    apply { c = a < b; } //~ ERROR
}
