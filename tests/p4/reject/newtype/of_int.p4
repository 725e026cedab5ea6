// spec: §7.2.8 Type nesting rules
type int Number; //~ ERROR
