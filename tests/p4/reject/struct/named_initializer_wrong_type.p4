// spec: §8.14 Operations on structure-valued expressions
struct S { bit<8> f; bool g; }
const S s = { f = 1, g = 2 }; //~ ERROR
