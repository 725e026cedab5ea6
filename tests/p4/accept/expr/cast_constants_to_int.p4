// spec: §8.12.1 Explicit casts
const int a = (int)8w255;
const int b = (int)8s255;
const int c = (int)3;
const bit<(a - 250)> d = 1;
