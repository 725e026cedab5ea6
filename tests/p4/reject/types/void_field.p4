// spec: §7.2.8 Type nesting rules
struct S { void f; } //~ ERROR
