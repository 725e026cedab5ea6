// spec: §6.2 Preprocessing
#else //~ ERROR
const bit<8> a = 1;
