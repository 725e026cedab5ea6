// no warnings
control C(inout bit<8> x) {
    apply {
        bit<8> a;
        bit<8> b;
        bit<8> c;
        if (x == 1) { a = 1; } else if (x == 2) { return; } else { a = 3; }
        switch (x) {
            1: { b = 1; }
            default: { b = 2; }
        }
        for (bit<8> i in 0 .. 3) { c = i; }
        x = a + b + c;
    }
}
