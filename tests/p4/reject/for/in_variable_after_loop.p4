// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply {
        for (bit<8> i in 8w0 .. 8w3) { x = x + i; }
        x = i; //~ ERROR i
    }
}
