// spec: §7.2.8 Type nesting rules
struct S { varbit<8> v; }
header H { S s; } //~ ERROR
