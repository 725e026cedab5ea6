// Emitting a struct visits nested structs and stacks in declaration order and skips invalid headers.
#include <core.p4>
#include <v1model.p4>

header one_t { bit<8> x; }
struct inner_t { one_t gone; one_t b; }

struct headers_t {
    one_t a;
    inner_t inner;
    one_t[3] s;
    one_t z;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.inner.b);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.inner.gone.setInvalid();
        hdr.s[0] = { 0x50 };
        hdr.s[2] = { 0x52 };
        hdr.z = { 0x7f };
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
        pkt.emit(hdr);
        pkt.emit(hdr.inner.gone);
        pkt.emit(hdr.a);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
