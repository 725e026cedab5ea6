// spec: §8 Expressions
const bit<8> a = 1 + ; //~ ERROR
