// spec: §11.1 Constants
bit<8> f() { return 1; }
const bit<8> k = f(); //~ ERROR
