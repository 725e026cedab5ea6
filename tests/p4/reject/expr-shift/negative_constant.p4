// spec: §8.10.2 A note about shifts
control C(inout bit<8> x) {
    apply { x = x << -1; } //~ ERROR
}
