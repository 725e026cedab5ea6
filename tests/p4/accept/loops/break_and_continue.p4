// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply {
        for (bit<8> i = 0; i < 8; i = i + 1) {
            if (i == 3) { continue; }
            for (bit<8> j in 8w0 .. i) {
                if (j == 2) { break; }
                switch (j) { 1: { continue; } default: { break; } }
            }
            if (x == 9) return;
            if (x == 10) break;
            x = x + 1;
        }
    }
}
