// At most one member of a header union is valid: setValid and valid assignments switch, setInvalid
// and invalid assignments clear.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header one_t { bit<8> x; }
header two_t { bit<16> x; }
header_union u_t { one_t one; two_t two; }
header out_t { bit<4> s0; bit<4> s1; bit<4> s2; bit<4> s3; bit<4> s4; bit<4> s5; bit<4> s6; bit<4> pad; }
bit<4> status(in u_t u) {
    return 1w0 ++ (bit<1>)u.isValid() ++ (bit<1>)u.one.isValid() ++ (bit<1>)u.two.isValid();
}

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
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
        u_t u;
        two_t none;
        hdr.o.pad = 0;
        hdr.o.s0 = status(u);
        u.one.setValid();
        hdr.o.s1 = status(u);
        u.two.setValid();
        hdr.o.s2 = status(u);
        u.one = { hdr.i.x };
        hdr.o.s3 = status(u);
        u.two = none;
        hdr.o.s4 = status(u);
        u.two = { 0x1234 };
        hdr.o.s5 = status(u);
        u.one.setInvalid();
        hdr.o.s6 = status(u);
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
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
