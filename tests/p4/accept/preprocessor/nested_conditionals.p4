// spec: §6.2 Preprocessing
#if 0
#if 1
const bit<8> broken = ;
#else
const bit<8> broken = ;
#endif
#error not reached
#else
#if 1
const bit<8> good = 1;
#endif
#endif
const bit<8> use = good;
