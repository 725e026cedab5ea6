// spec: §7.2.8 Type nesting rules
type string Text; //~ ERROR
