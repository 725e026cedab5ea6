// spec: §6.2 Preprocessing
#if 1
const bit<8> a = 1;
#else
const bit<8> a = 2;
#elif 1 //~ ERROR
const bit<8> a = 3;
#endif
