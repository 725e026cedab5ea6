// spec: §8.14 Operations on structure-valued expressions
struct S { bit<8> f; bit<8> g; }
const S s = { f = 1, g = 2, f = 3 }; //~ ERROR f
