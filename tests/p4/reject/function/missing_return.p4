// spec: §10 Function declarations
bit<8> f(in bit<8> x) { } //~ ERROR
