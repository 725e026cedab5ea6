// spec: §7.1.6.6 Integer literal types
const bit<8> a = 8w1 + 8s1; //~ ERROR
