// spec: §6.2 Preprocessing
const bit<8> a = 1;
#ifdef SOMETHING //~ ERROR
const bit<8> b = 1;
