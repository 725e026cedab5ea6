// spec: §11.1 Constants
#include <core.p4>
const bit<8> a = 1;
parser P(packet_in pk) {
    const bit<8> b = a + 1;
    state start { const bit<8> c = b + 1; transition select(c) { b: reject; _: accept; } }
}
bit<8> f() { const bit<8> d = a; return d; }
control C(inout bit<8> x) {
    const bit<8> e = a * 2;
    action act() { const bit<8> g = e; x = g; }
    apply { const bit<8> h = e; act(); { const bit<8> h = 3; x = h; } x = h + f(); }
}
