// spec: §8.9 Operations on arbitrary-precision integers
const int z = 3 - 3;
const int a = 5 / z; //~ ERROR zero
