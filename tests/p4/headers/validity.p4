// isValid, setValid and setInvalid on parsed, unparsed and never touched headers.
#include <core.p4>
#include <v1model.p4>

header one_t { bit<8> x; }

struct headers_t {
    one_t a;
    one_t b;
    one_t c;
    one_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        transition select(hdr.a.x) {
            1: more;
            default: accept;
        }
    }
    state more {
        pkt.extract(hdr.b);
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
        bit<8> r = 0;
        if (hdr.a.isValid()) { r[0:0] = 1; }
        if (hdr.b.isValid()) { r[1:1] = 1; }
        hdr.a.setInvalid();
        if (hdr.a.isValid()) { r[2:2] = 1; }
        hdr.a.setValid();
        hdr.a.x = 0xa0;
        if (hdr.a.isValid()) { r[3:3] = 1; }
        if (hdr.c.isValid()) { r[4:4] = 1; }
        hdr.b.setInvalid();
        if (hdr.b.isValid()) { r[5:5] = 1; }
        hdr.o.x = r;
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
