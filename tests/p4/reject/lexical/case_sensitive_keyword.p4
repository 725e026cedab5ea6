// spec: §6.4 Lexical constructs
Const bit<8> a = 1; //~ ERROR
