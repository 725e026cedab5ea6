// spec: §8.3 Operations on enum types
enum bit<8> Level { Low = 0, High = 1 }
enum bit<8> Grade { Good = 0, Bad = 1 }
control C(out Level l) {
    apply { l = Grade.Bad; } //~ ERROR
}
