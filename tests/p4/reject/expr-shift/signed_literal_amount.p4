// spec: §8.10.2 A note about shifts
const bit<8> a = 8w1 << 8s2; //~ ERROR
