// spec: §6.2 Preprocessing
#define LIMIT 5
const bit<8> a = LIMIT;
#undef LIMIT
const bit<8> b = LIMIT; //~ ERROR limit
