control C(inout bit<8> x, in int<8> s) {
    apply {
        if ((bit<16>) x == 300) { x = 1; } //~ WARN this comparison is always false
        if ((bit<16>) x < 256) { x = 1; } //~ WARN this comparison is always true
        if (x >= 0) { x = 2; } //~ WARN this comparison is always true
        if (x & 0x0F == 0x10) { x = 3; } //~ WARN this comparison is always false
        if (s > 127) { x = 4; } //~ WARN this comparison is always false
        if (x == x) { x = 5; } //~ WARN this comparison is always true
        if (x % 4 != 4) { x = 6; } //~ WARN this comparison is always true
    }
}
