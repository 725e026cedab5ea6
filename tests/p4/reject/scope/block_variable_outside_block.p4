// spec: §12.3 Block statement
control C(inout bit<8> x) {
    apply {
        { bit<8> inner = 1; }
        x = inner; //~ ERROR inner
    }
}
