// spec: §7.1.6.2 Unsigned integers
const bit<32> x = 10;
const int W = 8;
const bit<(x + 2)> y = 15;
const int<(W * 2)> z = -3;
header H { varbit<(W << 2)> v; bit<(W)> b; bit<(true ? 4 : 5)> c; }
