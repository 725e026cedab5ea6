// spec: §8.12.2 Implicit casts
enum bit<8> Level { Low = 0, High = 1 }
control C(out bit<16> y) {
    apply { y = Level.High; } //~ ERROR
}
