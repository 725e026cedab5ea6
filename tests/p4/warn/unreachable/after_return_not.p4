// no warnings
bit<8> f(in bit<8> a) {
    if (a == 1) { return a; }
    return a + 1;
}
control C(inout bit<8> x) {
    apply {
        if (x == 1) { return; }
        switch (x) { 2: { exit; } 3: { return; } }
        x = f(2);
    }
}
