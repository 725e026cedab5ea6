// spec: §12.7 Switch statement
control C(inout bit<8> x) {
    apply {
        switch (x) {
            10:11:12:13:14:15: { x = 1; }
            20:
            21: { x = 2; }
            default: { }
        }
    }
}
