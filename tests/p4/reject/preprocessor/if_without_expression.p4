// spec: §6.2 Preprocessing
#if //~ ERROR
const bit<8> a = 1;
#endif
