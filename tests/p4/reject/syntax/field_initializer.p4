// spec: §7.2.5 Struct types
struct S { bit<8> f = 1; } //~ ERROR
