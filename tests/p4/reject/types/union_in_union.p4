// spec: §7.2.4 Header unions
header H { bit<8> f; }
header_union A { H h; }
header_union B { A a; } //~ ERROR
