// spec: §12.8 For statement
header H { bit<8> f; }
control C(in H[4] s, inout bit<8> x) {
    apply {
        for (H h in s) { if (h.isValid()) { x = x + h.f; } }
        for (bit<8> v in (list<bit<8>>) { 1, 2, 4, 8 }) { x = x | v; }
    }
}
