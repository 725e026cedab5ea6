// spec: §6.8 Calling convention
extern bit<8> now();
extern void send(in bit<8> x = now()); //~ ERROR
