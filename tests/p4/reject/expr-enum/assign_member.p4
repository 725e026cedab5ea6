// spec: §6.7 L-values
enum bit<8> Level { Low = 0, High = 1 }
control C() {
    apply { Level.Low = Level.High; } //~ ERROR
}
