// spec: §6.4.2 Comments
const bit<8> a = 1;
/* outer /* inner */ still outer */ //~ ERROR
