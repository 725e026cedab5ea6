// spec: §7.2.10.1 Extern functions
extern abstract bit<4> choose(in bit<32> address); //~ ERROR
