// spec: §7.2.3 Header stacks
header H { bit<8> f; }
control C(in bit<8> n) {
    H[n] h; //~ ERROR
    apply { }
}
