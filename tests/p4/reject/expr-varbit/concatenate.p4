// spec: §8.11 Operations on variable-size bit types
control C(in varbit<16> x, in bit<8> y, out bit<24> z) {
    apply { z = y ++ x; } //~ ERROR
}
