// spec: §12.7.3 Notes common to all switch statements
const bit<8> K = 3;
control C(in bit<8> x) {
    apply {
        switch (x) {
            3: { }
            K: { } //~ ERROR
        }
    }
}
