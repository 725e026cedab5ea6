// spec: §11.1 Constants
extern bit<8> now();
const bit<8> k = now(); //~ ERROR
