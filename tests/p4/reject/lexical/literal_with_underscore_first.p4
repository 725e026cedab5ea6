// spec: §6.4.3.2 Integer literals
const bit<8> a = _5; //~ ERROR
