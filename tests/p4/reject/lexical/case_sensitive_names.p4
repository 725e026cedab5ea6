// spec: §6.4 Lexical constructs
const bit<8> Limit = 1;
const bit<8> b = limit; //~ ERROR limit
