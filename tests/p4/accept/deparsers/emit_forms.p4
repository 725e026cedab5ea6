// spec: §16.1 Data insertion into packets
#include <core.p4>
header H { bit<8> f; }
header V { varbit<8> v; }
header_union U { H h; V v; }
struct Inner { H h; U[2] us; }
struct Hdrs { H h; V v; H[3] s; U u; Inner i; }
control D(packet_out b, in Hdrs h) {
    apply {
        b.emit(h.h);
        b.emit(h.v);
        b.emit(h.s);
        b.emit(h.s[1]);
        b.emit(h.u);
        b.emit(h.i);
        b.emit(h);
        b.emit<H>(h.h);
        b.emit((H) { 5 });
        if (h.h.isValid()) { b.emit(h.u.h); }
    }
}
