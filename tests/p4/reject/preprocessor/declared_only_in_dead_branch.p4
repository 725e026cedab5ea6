// spec: §6.2 Preprocessing
#if 0
const bit<8> a = 1;
#endif
const bit<8> b = a; //~ ERROR a
