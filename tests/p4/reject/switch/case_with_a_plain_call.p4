// spec: §12.7 Switch statement
control C(inout bit<8> x) {
    action a() { x = 1; }
    apply {
        switch (x) {
            1: a(); //~ ERROR needs a block
            2: if (x == 2) { a(); } //~ ERROR needs a block
            3: x += 1; //~ ERROR needs a block
        }
    }
}
