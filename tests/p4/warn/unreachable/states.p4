#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h) {
    state start {
        packet.extract(h);
        transition accept;
    }
    state lost { //~ WARN state `lost` is never reached
        transition island;
    }
    state island { //~ WARN state `island` is never reached
        transition lost;
    }
}
