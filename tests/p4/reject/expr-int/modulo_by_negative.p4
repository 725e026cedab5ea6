// spec: §8.9 Operations on arbitrary-precision integers
const int a = 5 % -2; //~ ERROR negative|positive
