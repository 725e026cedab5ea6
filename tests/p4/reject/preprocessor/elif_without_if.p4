// spec: §6.2 Preprocessing
#elif 1 //~ ERROR
const bit<8> a = 1;
