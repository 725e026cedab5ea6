// spec: §7.1.6.5 Arbitrary-precision integers
bit<8> f(in int x) { return 1; } //~ ERROR int
