// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply {
        for (bit<8> i = 0; i < 8; i = i + 1) { x = x + i; }
        for (bit<8> i = 0, bit<16> j = 1; i < 8 && j != 0; i += 1, j <<= 1) x = x + j[7:0];
        bit<8> k;
        for (k = 3; k > 0; k = k - 1) ;
        for (; x != 0; ) { x = x - 1; }
    }
}
