// spec: §8.5 Expressions on Booleans
const bool a = 1 && 1; //~ ERROR
