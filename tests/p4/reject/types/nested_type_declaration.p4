// spec: §7.2 Derived types
struct S { struct T { bit<8> f; } t; } //~ ERROR
