// spec: §8 Expressions
control C(in bit<8> x, in bit<8> y, out bool b, out bit<16> z) {
    apply {
        b = x & 3 == y;
        b = x | 1 < y ^ 2;
        b = !(x == y) && x + 1 << 2 == y || false;
        z = x ++ y + 16w1;
        b = x == y == true;
        z = b ? x ++ y : (b ? 16w1 : 16w2);
    }
}
