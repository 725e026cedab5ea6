// spec: §6.2 Preprocessing
#define TWICE(x) ((x) + (x))
const bit<8> a = TWICE; //~ ERROR
