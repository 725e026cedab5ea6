// spec: §7.2.8 Type nesting rules
header H { bit<8> f; }
type H[2] Pair; //~ ERROR
