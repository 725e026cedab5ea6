// spec: §6.8 Calling convention
extern void send(in bit<8> x = true); //~ ERROR
