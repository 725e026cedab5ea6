// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
header H { bit<8> f; }
parser Tail(packet_in b, out H h);
parser Simple(packet_in b, out H h)(bool check) {
    state start { b.extract(h); transition select(check) { true: done; false: accept; } }
    state done { verify(h.f != 0, error.NoMatch); transition accept; }
}
parser Whole(packet_in b, out H h, out H i)(Tail t) {
    state start { b.extract(h); t.apply(b, i); transition accept; }
}
parser Root(packet_in b, out H h, out H i) {
    Whole(Simple(true)) w;
    state start { w.apply(b, h, i); transition accept; }
}
