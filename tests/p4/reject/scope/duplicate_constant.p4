// spec: §6.6.1 Scopes
const bit<8> a = 1;
const bit<8> a = 2; //~ ERROR a
