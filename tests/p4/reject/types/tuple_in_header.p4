// spec: §7.2.8 Type nesting rules
header H { tuple<bit<8>, bit<8>> f; } //~ ERROR
