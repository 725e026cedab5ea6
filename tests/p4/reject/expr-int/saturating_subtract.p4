// spec: §8.9 Operations on arbitrary-precision integers
const int a = 5 |-| 3; //~ ERROR
