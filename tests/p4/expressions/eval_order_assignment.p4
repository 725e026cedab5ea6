// The l-value of an assignment, with its indices, is determined before the right side runs.
#include <core.p4>
#include <v1model.p4>

header elem_t { bit<8> v; }
header out_t { bit<8> idx; }
bit<8> take(inout bit<8> idx) {
    idx = idx + 1;
    return 8w0xa0 + idx;
}
bit<8> step(inout bit<8> idx) {
    idx = idx + 1;
    return idx;
}

struct headers_t {
    elem_t[3] s;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
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
        bit<8> idx = 0;
        hdr.s[idx].v = take(idx);
        hdr.s[step(idx)].v = idx;
        hdr.o.idx = idx;
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
        pkt.emit(hdr.s);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
