// spec: §7.1.6.3 Signed integers
const int<(-1)> a = 0; //~ ERROR
