// spec: §8.13 Operations on tuple expressions
control C(out bit<8> x) {
    apply { x = { 1 }; } //~ ERROR
}
