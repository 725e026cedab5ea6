// spec: §13.8 Data extraction
#include <core.p4>
parser P(packet_in b) {
    packet_in() other; //~ ERROR
    state start { transition accept; }
}
