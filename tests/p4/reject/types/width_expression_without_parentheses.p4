// spec: §7.1.6.2 Unsigned integers
const bit<4 + 4> a = 1; //~ ERROR
