// spec: §7.2.3 Header stacks
header H { bit<8> f; }
struct S { H[-1] h; } //~ ERROR
