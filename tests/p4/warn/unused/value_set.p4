#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h) {
    value_set<bit<8>>(4) known;
    value_set<bit<8>>(4) other; //~ WARN value set `other` is never used
    state start {
        packet.extract(h);
        transition select(h.kind) {
            known: accept;
            default: reject;
        }
    }
}
