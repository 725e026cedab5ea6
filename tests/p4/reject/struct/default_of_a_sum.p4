// spec: §8.27 Initializing with default values
control C(inout bit<8> x) {
    apply { x = x + ...; } //~ ERROR
}
