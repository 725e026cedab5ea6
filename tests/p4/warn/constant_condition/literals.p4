control C(inout bit<8> x) {
    apply {
        if (true) { x = 1; } //~ WARN this condition is always true
        if (1 == 2) { x = 2; } //~ WARN this condition is always false
        for (; true; ) { x = x + 1; } //~ WARN this loop's condition is always true
    }
}
