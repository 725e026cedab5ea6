// spec: §17.2 Example architecture program
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b, out H h) {
    state start { b.extract(h); transition accept; }
}
control C(inout H h) { apply { h.f = h.f + 1; } }
control D(packet_out b, in H h) { apply { b.emit(h); } }
