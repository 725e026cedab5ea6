// spec: §8.13 Operations on tuple expressions
struct S { bit<8> f; bit<8> g; }
const S s = { 1, 2, 3 }; //~ ERROR
