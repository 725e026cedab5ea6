// spec: §8.9 Operations on arbitrary-precision integers
const int a = 1 << -1; //~ ERROR
