// spec: §6.2 Preprocessing
#ifdef //~ ERROR
const bit<8> a = 1;
#endif
