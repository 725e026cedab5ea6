// spec: §7.2.4 Header unions
struct S { bit<8> f; }
header_union U { S s; } //~ ERROR
