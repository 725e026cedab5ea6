// spec: §8.5 Expressions on Booleans
const bit<1> a = true; //~ ERROR
