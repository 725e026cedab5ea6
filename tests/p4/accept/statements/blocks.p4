// spec: §12.3 Block statement
control C(inout bit<8> x) {
    apply {
        bit<8> a = 1;
        {
            const bit<8> k = 2;
            { { x = a + k; } }
        }
        @likely { x = 3; }
    }
}
