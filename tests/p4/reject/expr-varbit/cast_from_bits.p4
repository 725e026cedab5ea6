// spec: §8.12.1 Explicit casts
control C(in bit<16> x, out varbit<16> y) {
    apply { y = (varbit<16>)x; } //~ ERROR
}
