// spec: §6.8 Calling convention
extern void get(out bit<8> x = 1); //~ ERROR
