control C(inout bit<8> x) {
    apply {
        bit<8> a;
        bit<8> b;
        if (x == 1) { a = 1; }
        switch (x) {
            1: { b = 1; }
            2: { b = 2; }
        }
        x = a; //~ WARN `a` may be read before it has a value
        x = b; //~ WARN `b` may be read before it has a value
    }
}
