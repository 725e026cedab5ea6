// spec: §12.7.2 Switch statement with integer or enumerated type expression
control C(in bit<8> x, in bit<8> y) {
    apply {
        switch (x) {
            y: { } //~ ERROR
        }
    }
}
