// spec: §7.2.4 Header unions
header H { bit<8> f; }
header_union U { H[2] s; } //~ ERROR
