// spec: §7.2.3 Header stacks
header H { bit<8> f; }
typedef H[2] Pair;
struct S { Pair[3] p; } //~ ERROR
