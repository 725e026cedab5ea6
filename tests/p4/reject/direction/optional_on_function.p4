// spec: §6.8.2 Optional parameters
void f(@optional in bit<8> p) { } //~ ERROR
