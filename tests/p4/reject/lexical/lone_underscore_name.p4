// spec: §6.4.1 Identifiers
const bit<8> _ = 1; //~ ERROR
