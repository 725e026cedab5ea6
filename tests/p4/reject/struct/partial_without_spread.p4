// spec: §8.27 Initializing with default values
struct S { bit<8> f; bit<8> g; bit<8> h; }
const S s = { g = ... }; //~ ERROR
