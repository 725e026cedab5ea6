// spec: §15.1 Direct type invocation
#include <core.p4>
header H { bit<8> f; }
parser Inner(packet_in b, out H h) { state start { b.extract(h); transition accept; } }
parser Outer(packet_in b, out H h, out H i) {
    state start { Inner.apply(b, h); transition more; }
    state more { Inner.apply(b, i); transition accept; }
}
