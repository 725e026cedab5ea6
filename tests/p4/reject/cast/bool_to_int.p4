// spec: §8.12.1 Explicit casts
const int a = (int)true; //~ ERROR
