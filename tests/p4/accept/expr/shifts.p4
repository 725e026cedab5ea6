// spec: §8.10.2 A note about shifts
control C(inout bit<8> x, inout int<8> s, in bit<100> n, inout bit<16> y) {
    apply {
        x = x << n;
        s = s >> n;
        y = y << x;
        y = y << 1024;
        x = x >> 0;
        x = 1 << 3;
        x = 8w1 << x;
        s = s << 3 >> 2;
        x <<= 2;
        s >>= n;
    }
}
