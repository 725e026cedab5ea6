// spec: §7.2.8 Type nesting rules
header Inner { bit<8> f; }
struct S { Inner i; }
header Outer { S s; } //~ ERROR
