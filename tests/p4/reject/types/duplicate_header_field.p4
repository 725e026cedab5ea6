// spec: §7.2.2 Header types
header H {
    bit<8> f;
    bit<16> f; //~ ERROR f
}
