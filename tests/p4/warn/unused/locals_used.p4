// no warnings
// Names that begin with an underscore are meant to be unused; the loop variable only counts.
control C(inout bit<8> x) {
    bit<8> _spare;
    const bit<8> K = 3;
    apply {
        bit<8> sink = x;
        for (bit<8> i in 0 .. 3) {
            sink = sink + K;
        }
        x = sink;
    }
}
