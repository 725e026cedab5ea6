// The deparser writes headers in the order of its emit calls, not of
// extraction; invalid headers are skipped; a header emitted twice is written
// twice.
#include <core.p4>
#include <v1model.p4>

header a_t {
    bit<8> x;
}
header b_t {
    bit<16> y;
}
struct headers_t {
    a_t a;
    b_t b;
    a_t c;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.b);
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
        if (hdr.a.x == 1) {
            hdr.b.setInvalid();
            hdr.c.setValid();
            hdr.c.x = 0xcc;
        } else if (hdr.a.x == 2) {
            hdr.a.setInvalid();
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
        pkt.emit(hdr.b);
        pkt.emit(hdr.c);
        pkt.emit(hdr.a);
        pkt.emit(hdr.a);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
