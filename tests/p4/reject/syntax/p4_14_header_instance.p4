// spec: §7.2.2 Header types
header H { bit<8> a; }
header H h; //~ ERROR P4_14
