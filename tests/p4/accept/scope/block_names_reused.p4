// spec: §12.3 Block statement
control C(inout bit<8> x) {
    apply {
        { bit<8> y = 1; x = y; }
        { bool y = true; if (y) { x = 2; } }
        bit<16> y = 3;
        x = y[7:0];
    }
}
