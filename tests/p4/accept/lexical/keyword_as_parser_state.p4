// spec: §6.4.1 Identifiers
#include <core.p4>
parser P(packet_in b, in bit<8> type) {
    state start {
        transition select(type) { 1: key; default: entries; }
    }
    state key { transition accept; }
    state entries { transition reject; }
}
