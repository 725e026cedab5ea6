// spec: §6.4 Lexical constructs
const bit<8> größe = 1; //~ ERROR
