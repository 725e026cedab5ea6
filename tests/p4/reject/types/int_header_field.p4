// spec: §7.2.8 Type nesting rules
header H { int f; } //~ ERROR
