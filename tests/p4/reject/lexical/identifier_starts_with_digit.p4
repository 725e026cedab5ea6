// spec: §6.4.1 Identifiers
const bit<8> 2fast = 1; //~ ERROR
