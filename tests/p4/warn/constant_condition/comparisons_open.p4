// no warnings
control C(inout bit<8> x, in int<8> s, in bit<8> y) {
    apply {
        if ((bit<16>) x == 255) { x = 1; }
        if ((bit<16>) x < 255) { x = 1; }
        if (x > 0) { x = 2; }
        if (x & 0x1F == 0x10) { x = 3; }
        if (s >= 127 || s <= -128) { x = 4; }
        if (x == y || x[3:0] == x[7:4]) { x = 5; }
        if ((bit<4>) x == 15) { x = 6; }
    }
}
