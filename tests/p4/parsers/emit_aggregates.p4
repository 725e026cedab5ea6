// emit of a struct writes its fields in declaration order, of a stack its
// elements by increasing index, of a union its valid member, recursively and
// only what is valid.
#include <core.p4>
#include <v1model.p4>

header a_t {
    bit<8> x;
}
header b_t {
    bit<16> y;
}
header_union u_t {
    a_t a;
    b_t b;
}
struct inner_t {
    b_t    b;
    a_t[3] s;
}
struct headers_t {
    a_t     sel;
    u_t     u;
    inner_t inner;
    a_t     tail;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.sel);
        // Filled in another order than it is declared.
        pkt.extract(hdr.tail);
        pkt.extract(hdr.inner.s[2]);
        pkt.extract(hdr.inner.s[0]);
        pkt.extract(hdr.inner.b);
        transition select(hdr.sel.x) {
            0: small;
            1: big;
            default: accept;
        }
    }
    state small {
        pkt.extract(hdr.u.a);
        transition accept;
    }
    state big {
        pkt.extract(hdr.u.b);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        smeta.egress_spec = 1;
        if (hdr.sel.x == 2) {
            hdr.inner.b.setInvalid();
            hdr.inner.s[1] = hdr.inner.s[2];
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
        pkt.emit(hdr);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
