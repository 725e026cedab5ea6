// spec: §11.1 Constants
const bit<8> a; //~ ERROR
