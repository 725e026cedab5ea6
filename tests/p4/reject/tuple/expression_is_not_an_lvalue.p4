// spec: §8.13 Operations on tuple expressions
control C(inout bit<8> x, inout bit<8> y) {
    apply { { x, y } = { y, x }; } //~ ERROR
}
