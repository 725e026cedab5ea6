// spec: §6.4 Lexical constructs
const bit<8> a = 1 $ 2; //~ ERROR
