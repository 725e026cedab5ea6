// spec: §6.6.1 Scopes
struct S { bit<8> f; }
struct S { bit<16> g; } //~ ERROR s
