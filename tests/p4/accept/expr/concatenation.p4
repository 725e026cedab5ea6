// spec: §8.10.1 Concatenation
control C(in bit<8> x, in int<4> s, out bit<12> y, out int<12> z, out bit<20> w) {
    apply {
        y = x ++ s;
        z = s ++ x;
        w = x ++ s ++ x;
        w = (x ++ 4w0) ++ 8w1;
        y = x[7:4] ++ x[3:0] ++ 4s1;
    }
}
