// spec: §8.12.1 Explicit casts
const bit<8> a = (bit<8>)"a"; //~ ERROR
