// spec: §8.10.2 A note about shifts
control C(inout int<8> x) {
    apply { x = x >> (1 - 3); } //~ ERROR
}
