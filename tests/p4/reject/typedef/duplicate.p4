// spec: §6.6.1 Scopes
typedef bit<8> Byte;
typedef bit<16> Byte; //~ ERROR byte
