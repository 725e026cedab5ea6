// spec: §7.2.3 Header stacks
header H { bit<8> f; }
struct S { H[true] h; } //~ ERROR
