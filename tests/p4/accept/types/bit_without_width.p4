// spec: §7.1.6.2 Unsigned integers
const bit a = 1;
const bit<1> b = a;
control C(inout bit c) { apply { c = ~c & b; } }
