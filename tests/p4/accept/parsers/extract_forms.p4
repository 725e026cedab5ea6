// spec: §13.8 Data extraction
#include <core.p4>
header Fixed { bit<8> f; }
header Var { bit<8> n; varbit<64> v; }
header Other { bit<16> g; }
header_union U { Fixed a; Other b; }
struct Hdrs { Fixed f; Var v; Fixed[3] s; U u; U[2] us; }
parser P(packet_in b, out Hdrs h) {
    state start {
        b.extract(h.f);
        b.extract<Fixed>(h.f);
        b.extract<Fixed>(_);
        b.extract(h.v, 32w16);
        b.extract(h.v, (bit<32>)h.f.f * 8);
        b.extract(h.s[0]);
        b.extract(h.s.next);
        b.extract(h.u.a);
        b.extract(h.us.next.b);
        b.advance(8);
        b.advance((bit<32>)h.f.f);
        verify(b.length() > 20, error.PacketTooShort);
        transition accept;
    }
}
