// spec: §8.5.1 Conditional operator
const bit<8> a = true ? 8w1; //~ ERROR
