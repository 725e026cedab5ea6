// spec: §7.6 Introducing new types
header H { bit<8> f; }
type H NewH; //~ ERROR
