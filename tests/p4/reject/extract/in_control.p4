// spec: §13.8 Data extraction
#include <core.p4>
header H { bit<8> f; }
control C(packet_in b, out H h) {
    apply { b.extract(h); } //~ ERROR
}
