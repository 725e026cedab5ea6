// spec: §13.9 Header stacks
#include <core.p4>
header Mpls { bit<20> label; bit<3> tc; bit bos; bit<8> ttl; }
struct Hdrs { Mpls[3] mpls; }
parser P(packet_in b, out Hdrs h, out bit<32> depth) {
    state start {
        b.extract(h.mpls.next);
        depth = h.mpls.lastIndex + 1;
        transition select(h.mpls.last.bos) {
            0: start;
            1: accept;
        }
    }
}
