// spec: §8.13 Operations on tuple expressions
control C() {
    tuple<bit<8>, bool> t = { 1, true };
    apply { t[0] = 2; } //~ ERROR
}
