// spec: §12.3 Block statement
control C(inout bit<8> x) {
    apply {
        if (x == 1) { if (x == 2) { if (x == 3) { { { { { x = ((((((((x + 1)))))))); } } } } } } }
        x = -(-(-(-x)));
        x = ~~~~x;
    }
}
