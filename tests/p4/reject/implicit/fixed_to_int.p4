// spec: §8.12.2 Implicit casts
const int a = 8w5; //~ ERROR
