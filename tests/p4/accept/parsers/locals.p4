// spec: §13.2 Parser declarations
#include <core.p4>
extern E { E(); bit<8> get(); }
header H { bit<8> f; }
parser Inner(packet_in b, out H h) { state start { b.extract(h); transition accept; } }
parser P(packet_in b, out H h) {
    const bit<8> k = 3;
    bit<8> v = k;
    E() e;
    Inner() inner;
    H[2] stack;
    bit<8> from_extern = e.get();
    state start {
        bit<8> local = v + from_extern;
        const bit<8> c = 1;
        { bit<8> local2 = local; v = local2 + c; }
        inner.apply(b, h);
        transition accept;
    }
}
