// spec: §13.8.3 Lookahead
#include <core.p4>
header H { bit<8> f; bit<8> g; }
struct Two { bit<8> a; bit<8> b; }
enum bit<8> Level { Low = 0 }
parser P(packet_in b, out H h) {
    state start {
        h = b.lookahead<H>();
        bit<8> x = b.lookahead<bit<8>>();
        Two t = b.lookahead<Two>();
        bit<8> y = b.lookahead<Two>().b;
        tuple<bit<8>, bool> u = b.lookahead<tuple<bit<8>, bool>>();
        transition select(b.lookahead<bit<16>>()) { 0: next_state; default: accept; }
    }
    state next_state { transition select(b.lookahead<H>().g, b.lookahead<bit<4>>()[3:3]) { (1, 1): accept; } }
}
