// spec: §8.27 Initializing with default values
struct S { bit<8> f; bit<8> g; }
const S s = { ..., f = 1 }; //~ ERROR
