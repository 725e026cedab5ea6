// Actions with header and struct parameters: fields and validity are copied in
// and out; an out header starts invalid.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct pair_t {
    bit<8> x;
    bit<8> y;
}
struct headers_t {
    h_t h;
    h_t g;
    h_t i;
}
struct meta_t {
    pair_t pair;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.g);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action drop_header(inout h_t x) {
        x.r = 0xdd;
        x.setInvalid();
    }
    action make(out h_t x, in h_t from) {
        if (!x.isValid()) {
            x.setValid();
            x.k = from.k + 1;
            x.r = 0x33;
        }
    }
    action clear(out h_t x) {
    }
    action swap(inout pair_t p) {
        bit<8> t = p.x;
        p.x = p.y;
        p.y = t;
    }
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.k == 0) {
            drop_header(hdr.g);
        } else if (hdr.h.k == 1) {
            make(hdr.i, hdr.g);
        } else if (hdr.h.k == 2) {
            // g was valid: as an out argument it comes back invalid.
            clear(hdr.g);
        } else if (hdr.h.k == 3) {
            make(hdr.g, hdr.h);
        } else {
            meta.pair = { hdr.g.k, hdr.g.r };
            swap(meta.pair);
            hdr.g.k = meta.pair.x;
            hdr.g.r = meta.pair.y;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
        pkt.emit(hdr.g);
        pkt.emit(hdr.i);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
