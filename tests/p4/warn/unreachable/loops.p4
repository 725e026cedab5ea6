control C(inout bit<8> x) {
    apply {
        for (bit<8> i = 0; i < 4; i = i + 1) {
            if (i == x) {
                break;
                x = 0; //~ WARN this statement is never reached
            }
            continue;
            x = 1; //~ WARN this statement is never reached
        }
        x = 2;
    }
}
