// spec: §7.2.8 Type nesting rules
header H { list<bit<8>> f; } //~ ERROR
