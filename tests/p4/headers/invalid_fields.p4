// The fields of an invalid header are zero: reading gives zero, writing does nothing.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }
header out_t { bit<8> before; bit<8> after; bit<8> slice; bit<8> removed; }

struct headers_t {
    two_t a;
    two_t b;
    two_t c;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.before = hdr.b.x + 0x51;
        hdr.b.x = 0xbb;
        hdr.o.after = hdr.b.x + 0x62;
        hdr.b.y[3:0] = 0xf;
        hdr.o.slice = hdr.b.y + 0x73;
        // a's bytes are gone with it.
        hdr.a.setInvalid();
        hdr.o.removed = hdr.a.y + 0x84;
        hdr.a.setValid();
        // What was written to b while it was invalid does not come to light.
        hdr.b.setValid();
        hdr.b.y = hdr.b.y | 0x40;
        // A header that is valid already keeps its fields.
        hdr.c = { 0x17, 0x18 };
        hdr.c.setValid();
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.a);
        pkt.emit(hdr.b);
        pkt.emit(hdr.c);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
