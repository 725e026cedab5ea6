// spec: §6.2 Preprocessing
const bit<8> loop = 1;
#define loop loop
const bit<8> a = loop;
