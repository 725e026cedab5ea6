// spec: §8.12.1 Explicit casts
control C(in varbit<16> x, out bit<16> y) {
    apply { y = (bit<16>)x; } //~ ERROR
}
