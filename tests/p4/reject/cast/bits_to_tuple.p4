// spec: §8.12.1 Explicit casts
control C(in bit<8> x, out tuple<bit<8>> t) {
    apply { t = (tuple<bit<8>>)x; } //~ ERROR
}
