// spec: §7.2.8 Type nesting rules
struct S { bit<8> f; }
typedef S Alias;
type Alias NewS; //~ ERROR
