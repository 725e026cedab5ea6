// spec: §6.2 Preprocessing
const bit<8> a = 1;
#endif //~ ERROR
