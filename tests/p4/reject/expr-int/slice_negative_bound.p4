// spec: §8.9 Operations on arbitrary-precision integers
const int n = 1234;
const bit<4> a = n[2:-1]; //~ ERROR
