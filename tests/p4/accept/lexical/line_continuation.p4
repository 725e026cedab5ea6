// spec: §6.2 Preprocessing
#define SUM 1 + \
            2
const bit<8> a = SU\
M;
