// spec: §6.6.1 Scopes
bit<8> f(in bit<8> x) { return g(x); } //~ ERROR g
bit<8> g(in bit<8> x) { return x; }
