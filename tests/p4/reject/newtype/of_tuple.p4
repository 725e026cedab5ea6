// spec: §7.2.8 Type nesting rules
type tuple<bit<8>, bool> Pair; //~ ERROR
