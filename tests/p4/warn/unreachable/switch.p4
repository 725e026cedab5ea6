control C(inout bit<8> x) {
    apply {
        switch (x) {
            1: { return; }
            default: { exit; }
        }
        x = 2; //~ WARN this statement is never reached
    }
}
