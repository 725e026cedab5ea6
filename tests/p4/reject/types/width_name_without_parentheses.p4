// spec: §7.1.6.2 Unsigned integers
const int W = 8;
const bit<W> a = 1; //~ ERROR
