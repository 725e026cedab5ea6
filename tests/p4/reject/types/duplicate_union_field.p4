// spec: §7.2.4 Header unions
header A { bit<8> f; }
header B { bit<16> f; }
header_union U {
    A h;
    B h; //~ ERROR h
}
