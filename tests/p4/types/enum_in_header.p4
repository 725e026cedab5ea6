// A serializable enum as a 4-bit header field: extraction, select with an unnamed value, comparison,
// emission.
#include <core.p4>
#include <v1model.p4>

enum bit<4> Kind { DATA = 1, ACK = 2, ALSO_ACK = 2, LAST = 0xf }
header in_t { Kind kind; bit<4> low; }
header out_t { bit<8> state_no; bit<8> named; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t {
    bit<8> k;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition select(hdr.i.kind) {
            Kind.DATA: data;
            Kind.ACK: ack;
            Kind.LAST: last;
            default: unknown;
        }
    }
    state data {
        meta.k = 1;
        transition accept;
    }
    state ack {
        meta.k = 2;
        transition accept;
    }
    state last {
        meta.k = 3;
        transition accept;
    }
    state unknown {
        meta.k = 0xe;
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
        hdr.o.state_no = meta.k;
        hdr.o.named = 0;
        if (hdr.i.kind == Kind.DATA) { hdr.o.named = hdr.o.named | 1; }
        if (hdr.i.kind == Kind.ACK) { hdr.o.named = hdr.o.named | 2; }
        if (hdr.i.kind == Kind.ALSO_ACK) { hdr.o.named = hdr.o.named | 4; }
        if (hdr.i.kind == Kind.LAST) { hdr.o.named = hdr.o.named | 8; }
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
        pkt.emit(hdr.i);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
