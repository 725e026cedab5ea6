// spec: §8.13 Operations on tuple expressions
struct S { bit<8> f; bool g; }
const S s = { 1, 2 }; //~ ERROR
