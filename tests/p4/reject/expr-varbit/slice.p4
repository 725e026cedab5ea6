// spec: §8.11 Operations on variable-size bit types
control C(in varbit<16> x, out bit<8> y) {
    apply { y = x[7:0]; } //~ ERROR
}
