// spec: §8.12 Casts
const bit<8> a = ()1; //~ ERROR
