// spec: §8.13 Operations on tuple expressions
control C(out bit<8> x) {
    tuple<bit<8>, bit<8>> t = { 1, 2 };
    apply { x = t[2]; } //~ ERROR
}
