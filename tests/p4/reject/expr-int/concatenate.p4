// spec: §8.10.1 Concatenation
const int a = 5 ++ 3; //~ ERROR
