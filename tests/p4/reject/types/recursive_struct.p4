// spec: §7.2.5 Struct types
struct S { S again; } //~ ERROR
