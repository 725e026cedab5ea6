// spec: §7.1.6.6 Integer literal types
const int<2> a = 2s3;
const bit<1> b = 1w10;
const int<1> c = 1s1;
const bit<8> d = 256;
const bit<8> e = -1;
