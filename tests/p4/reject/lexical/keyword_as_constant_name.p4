// spec: §B P4 reserved keywords
const bit<8> table = 1; //~ ERROR
