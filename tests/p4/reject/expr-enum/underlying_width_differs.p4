// spec: §8.12.2 Implicit casts
enum bit<8> Level { Low = 0, High = 1 }
control C(in bit<16> x, out bit<16> y) {
    apply { y = x + Level.High; } //~ ERROR
}
