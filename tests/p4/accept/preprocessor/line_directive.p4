// spec: §6.2 Preprocessing
#line 100 "elsewhere.p4"
const bit<8> a = 1;
# 7 "again.p4"
const bit<8> b = a;
