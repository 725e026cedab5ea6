// spec: §6.8 Calling convention
extern void change(inout bit<8> x = 1); //~ ERROR
