// spec: §10 Function declarations
f(in bit<8> x) { return x; } //~ ERROR
