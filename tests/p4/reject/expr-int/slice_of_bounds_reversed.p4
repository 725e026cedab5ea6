// spec: §8.9 Operations on arbitrary-precision integers
const bit<4> a = 1234[3:6]; //~ ERROR
