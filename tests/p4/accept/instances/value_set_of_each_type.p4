// spec: §13.11 Parser Value Sets
#include <core.p4>
struct Key { @match(ternary) bit<16> port; bit<8> proto; }
enum bit<8> Level { Low = 0 }
parser P(packet_in b, in bit<16> port, in bit<8> proto, in Level l) {
    value_set<bit<16>>(4) ports;
    value_set<tuple<bit<16>, bit<8>>>(4) pairs;
    value_set<Key>(8) keys;
    value_set<Level>(2) levels;
    @name("named") value_set<int<8>>(1 + 1) signed;
    state start {
        transition select(port, proto) {
            pairs: more;
            keys: more;
            (80, 6): more;
            default: accept;
        }
    }
    state more {
        transition select(port) { ports: last; 16w7: last; _: accept; }
    }
    state last {
        transition select(l) { levels: accept; Level.Low: reject; default: accept; }
    }
}
