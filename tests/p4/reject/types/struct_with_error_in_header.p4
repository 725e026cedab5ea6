// spec: §7.2.8 Type nesting rules
struct S { error e; }
header H { S s; } //~ ERROR
