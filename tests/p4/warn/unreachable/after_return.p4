bit<8> f(in bit<8> a) {
    return a;
    return a + 1; //~ WARN this statement is never reached
}
control C(inout bit<8> x) {
    action stop() {
        exit;
        x = 1; //~ WARN this statement is never reached
    }
    apply {
        if (x == 1) { stop(); return; } else { exit; }
        x = f(2); //~ WARN this statement is never reached
    }
}
