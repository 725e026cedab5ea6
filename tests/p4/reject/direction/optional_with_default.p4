// spec: §6.8.2 Optional parameters
extern void send(in bit<8> x, @optional in bit<8> y = 1); //~ ERROR
