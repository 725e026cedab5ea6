// spec: §8.21 Method invocations and function calls
control C(in bit<8> x) {
    apply { x(); } //~ ERROR
}
