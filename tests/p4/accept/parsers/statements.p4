// spec: §13.4 Parser states
#include <core.p4>
header H { bit<8> f; }
bit<8> twice(in bit<8> x) { return x + x; }
parser P(packet_in b, inout H h, inout bit<8> x) {
    state start {
        ;
        if (x == 1) { x = 2; } else if (x == 2) x = 3;
        x = twice(x);
        x[3:0] = 1;
        x += 1;
        h.setValid();
        @atomic { h.f = x; }
        verify(h.f != 0 && x > 1, error.ParserInvalidArgument);
        transition accept;
    }
}
