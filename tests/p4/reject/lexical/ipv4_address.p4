// spec: §6.4.3 Literal constants
const bit<32> a = 10.0.0.1; //~ ERROR 0x0A000001
const bool b = 32w1 == 192.168.0.254; //~ ERROR 0xC0A800FE
