// spec: §7.1.6.2 Unsigned integers
const bit<(true)> a = 1; //~ ERROR
