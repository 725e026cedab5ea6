// spec: §7.2.8 Type nesting rules
extern E { E(); }
struct S { E f; } //~ ERROR
