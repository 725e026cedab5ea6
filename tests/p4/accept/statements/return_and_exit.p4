// spec: §12.5 Exit statement
control Inner(inout bit<8> x) {
    action a() { if (x == 1) { return; } exit; }
    apply { a(); return; }
}
control C(inout bit<8> x) {
    Inner() i;
    apply {
        i.apply(x);
        if (x == 1) return;
        if (x == 2) { exit; }
        x = 3;
        exit;
    }
}
