// spec: §7.1.6.2 Unsigned integers
const bit<("8")> a = 1; //~ ERROR
