// clone3 keeps all the metadata fields that its list names, and no others.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> a; bit<8> b; bit<8> c; bit<8> spec; }

struct headers_t {
    h_t h;
}

struct inner_t {
    bit<8> b;
}

struct meta_t { bit<8> a; inner_t inner; bit<8> c; }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 2;
        meta.a = 0xa1;
        meta.inner.b = 0xb2;
        meta.c = 0xc3;
        clone3(CloneType.I2E, 5, { meta.a, meta.inner });
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        hdr.h.a = meta.a;
        hdr.h.b = meta.inner.b;
        hdr.h.c = meta.c;
        hdr.h.spec = (bit<8>) sm.instance_type;
    }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
