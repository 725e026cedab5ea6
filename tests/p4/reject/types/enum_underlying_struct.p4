// spec: §7.2.1 Enumeration types
struct S { bit<8> f; }
enum S Level { Low = { 0 }, High = { 1 } } //~ ERROR
