// spec: §6.2 Preprocessing
#define N 1
const bit<8> a = N;
#undef N
#undef NEVER_DEFINED
#define N 2
const bit<8> b = N;
