// spec: §7.2.8 Type nesting rules
header Inner { bit<8> f; }
header Outer { Inner i; } //~ ERROR
