// spec: §7.2.8 Type nesting rules
extern E { E(); }
type E NewE; //~ ERROR
