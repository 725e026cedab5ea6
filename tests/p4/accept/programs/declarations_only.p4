// spec: §6.6 P4 programs
const bit<8> k = 1;
typedef bit<8> Byte;
struct S { Byte b; }
extern void f(in S s);
