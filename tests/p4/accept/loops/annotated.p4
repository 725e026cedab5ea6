// spec: §12.8 For statement
control C(inout bit<8> x) {
    apply {
        @unroll for (bit<8> i = 0; i < 4; i = i + 1) { x = x + i; }
        @unroll(2) for (@note bit<8> i in 8w0 .. 8w3) { x = x + i; }
    }
}
