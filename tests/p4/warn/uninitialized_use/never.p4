control C(inout bit<8> x) {
    bit<8> a;
    apply {
        bit<8> b;
        x = a; //~ WARN `a` is read before it has a value
        x = b + 1; //~ WARN `b` is read before it has a value
        b = 2;
        x = b;
    }
}
