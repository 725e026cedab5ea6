// spec: §7.2.8 Type nesting rules
struct S { string f; } //~ ERROR
