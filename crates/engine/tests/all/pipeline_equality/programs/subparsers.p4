// Sub-parsers with copied and shared arguments, applied in branches, ended by errors; values that
// come out of them all the same; varbit fields copied, compared and hashed.
#include <core.p4>
#include <v1model.p4>


header k_t { bit<8> kind; bit<8> len; }
header v_t { bit<8> len; varbit<64> data; bit<8> tail; }
header o_t { bit<16> h; bit<8> a; bit<8> b; bit<8> e; }
struct headers_t { o_t o; k_t k; k_t l; v_t v; v_t w; }
struct meta_t { bit<8> n; bit<8> m; }
error { TooMuch }

parser Counted(packet_in p, inout k_t k, inout bit<8> n, out bit<8> m)(bit<8> limit) {
    bit<8> seen = 0;
    state start {
        m = 1;
        seen = seen + 1;
        n = n + 1;
        verify(n < limit, error.TooMuch);
        transition select(p.lookahead<bit<16>>()) {
            0x0100 &&& 0xff00: again;
            0x0200 .. 0x02ff: last;
            _: done;
        }
    }
    state again {
        p.extract(k);
        m = m + k.len;
        transition start;
    }
    state last {
        p.extract(k);
        n = n + k.len + seen;
        transition select(k.len) { 0: reject; 1: accept; 2: done; }
    }
    state done { m = m + seen; transition accept; }
}
parser Variable(packet_in p, out v_t v) {
    state start {
        bit<8> len = p.lookahead<bit<8>>();
        p.extract(v, (bit<32>)(len & 0x7f) * 8);
        transition accept;
    }
}

parser P(packet_in pkt, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    Counted(8) many;
    Counted(3) few;
    Variable() variable;
    state start {
        if (pkt.lookahead<bit<8>>() == 9) {
            many.apply(pkt, hdr.k, hdr.k.len, meta.m);
        } else {
            many.apply(pkt, hdr.k, meta.n, meta.n);
        }
        few.apply(pkt, hdr.l, hdr.k.kind, meta.m);
        transition select(pkt.length(), meta.m) {
            (0 .. 6, _): accept;
            (_, 0x80 &&& 0x80): reject;
            (_, _): data;
        }
    }
    state data {
        variable.apply(pkt, hdr.v);
        variable.apply(pkt, hdr.w);
        pkt.advance((bit<32>)(hdr.w.tail & 9));
        transition accept;
    }
}
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hash(hdr.o.h, HashAlgorithm.crc16, 16w0, { hdr.v.data, hdr.v.tail, hdr.w }, 32w65536);
        hdr.o.a = meta.n;
        hdr.o.b = meta.m;
        hdr.o.e = (bit<8>)(bit<1>)(sm.parser_error == error.TooMuch) ++ 4w0 == 12w0 ? 8w1 : 8w2;
        if (hdr.v.data == hdr.w.data) {
            hdr.o.e[7:7] = 1;
        } else if (hdr.v.tail > 0x7f) {
            v_t t = hdr.v;
            hdr.v.data = hdr.w.data;
            hdr.w = t;
        }
    }
}

control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }

control D(packet_out pkt, in headers_t hdr) { apply { pkt.emit(hdr); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;
