// spec: §8.3 Operations on enum types
enum bit<8> Level { Low = 0, High = 1 }
control C(out Level l, in bit<8> x) {
    apply { l = x; } //~ ERROR
}
