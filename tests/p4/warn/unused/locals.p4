// A variable that nothing reads, a constant that nothing uses.
control C(inout bit<8> x) {
    bit<8> kept;
    bit<8> idle; //~ WARN variable `idle` is never used
    const bit<8> K = 3; //~ WARN constant `K` is never used
    apply {
        bit<8> sink; //~ WARN variable `sink` is assigned but never read
        kept = x + 1;
        sink = kept;
        x = kept;
    }
}
