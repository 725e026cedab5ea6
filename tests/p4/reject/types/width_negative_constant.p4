// spec: §7.1.6.2 Unsigned integers
const int W = 2 - 10;
control C(inout bit<(W)> x) { apply { } } //~ ERROR
