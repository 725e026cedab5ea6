// spec: §8.9 Operations on arbitrary-precision integers
const int a = 5;
const int b = 2 * a;
const int c = b - a + 3;
const int d = -c + +a;
const int e = 17 / 5;
const int f = 17 % 5;
const int g = 1 << 100;
const int h = g >> 99;
const int i = -5 >> 1;
const int j = 1 << 8w3;
const bool k = a < b && c >= d || e == f && g != h;
const bit<4> l = 0xABCD[7:4];
const bit<4> m = (-1)[7:4];
const bit<8> n = a + b;
