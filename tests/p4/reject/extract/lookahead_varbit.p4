// spec: §13.8.3 Lookahead
#include <core.p4>
header H { varbit<32> v; }
parser P(packet_in b, out bool x) {
    state start {
        x = b.lookahead<H>().isValid(); //~ ERROR
        transition accept;
    }
}
