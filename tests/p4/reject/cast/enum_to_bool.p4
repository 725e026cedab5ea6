// spec: §8.12.1 Explicit casts
enum bit<8> Level { Low = 0 }
control C(in Level l, out bool b) {
    apply { b = (bool)l; } //~ ERROR
}
