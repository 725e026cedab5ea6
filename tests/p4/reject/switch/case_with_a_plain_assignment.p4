// spec: §12.7 Switch statement
control C(inout bit<8> x) {
    apply {
        switch (x) {
            1: x = 2; //~ ERROR needs a block
            default: x = 3; //~ ERROR needs a block
        }
    }
}
