// spec: §6.6.1 Scopes
const bit<8> a = b; //~ ERROR b
const bit<8> b = 1;
