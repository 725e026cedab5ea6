// spec: §7.1.6.3 Signed integers
const int<1> a = -1;
control C(inout int<1> x) { apply { x = -x; } }
