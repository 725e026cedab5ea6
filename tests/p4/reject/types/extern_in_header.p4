// spec: §7.2.8 Type nesting rules
extern E { E(); }
header H { E f; } //~ ERROR
