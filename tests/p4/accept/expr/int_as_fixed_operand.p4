// spec: §8.12.2 Implicit casts
enum bit<8> E { a = 5 }
control C(inout bit<8> x, inout bit<16> y, inout int<8> z, out bool b) {
    apply {
        x = x + 1;
        x = 1 + x;
        b = z < 0;
        x = x | 0xFFF;
        x = x + E.a;
        x = E.a;
        y = 16w11 << E.a;
        y = E.a ++ 8w0;
        x[E.a:0] = 3;
        x = E.a << 3;
        b = E.a > x;
        b = E.a == 5;
    }
}
