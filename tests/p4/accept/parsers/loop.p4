// spec: §13.5 Transition statements
#include <core.p4>
header H { bit<8> f; bit<8> more; }
parser P(packet_in b, out H[8] s) {
    state start { b.extract(s.next); transition select(s.last.more) { 0: accept; default: start; } }
    state unreachable { transition accept; }
}
