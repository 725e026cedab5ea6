// The invalid header expression {#} for headers and header unions.
#include <core.p4>
#include <v1model.p4>

header one_t { bit<8> x; }
header two_t { bit<16> x; }
header out_t { bit<8> r; }
header_union u_t { one_t one; two_t two; }
bool absent(in one_t h) {
    return !h.isValid();
}

struct headers_t {
    one_t a;
    u_t u;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.u.one);
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
        hdr.a = {#};
        one_t l = {#};
        hdr.u = {#};
        hdr.o.r = 0;
        if (hdr.a.isValid()) { hdr.o.r = hdr.o.r | 1; }
        if (l.isValid()) { hdr.o.r = hdr.o.r | 2; }
        if (absent((one_t){#})) { hdr.o.r = hdr.o.r | 4; }
        if (hdr.u.isValid()) { hdr.o.r = hdr.o.r | 8; }
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
        pkt.emit(hdr.u);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
