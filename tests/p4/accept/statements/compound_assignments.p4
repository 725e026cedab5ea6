// spec: §12.1 Assignment statement
control C(inout bit<8> x, inout int<8> s, in bit<16> n) {
    apply {
        x += 1;
        x -= 2;
        x *= 3;
        x |+|= 4;
        x |-|= 5;
        x <<= 6;
        x >>= n;
        x &= 0x0F;
        x |= 0xF0;
        x ^= 0xFF;
        x[3:0] += 1;
        s += -1;
        s |-|= 1;
    }
}
