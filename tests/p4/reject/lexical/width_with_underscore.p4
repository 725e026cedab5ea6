// spec: §6.4.3.2 Integer literals
const bit<16> a = 1_6w5; //~ ERROR
