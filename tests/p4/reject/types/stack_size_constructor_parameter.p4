// spec: §18.1 Compile-time known and local compile-time known values
header H { bit<8> f; }
control C()(bit<8> n) {
    H[n] h; //~ ERROR
    apply { }
}
