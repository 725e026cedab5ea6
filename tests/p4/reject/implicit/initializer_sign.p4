// spec: §8.12.2 Implicit casts
const int<8> a = 8w5; //~ ERROR
