// spec: §7.2.8 Type nesting rules
header A { bit<8> f; }
header_union U { A a; }
header Outer { U u; } //~ ERROR
