// Two varbits are equal when both their dynamic lengths and their bits are
// equal; an assignment copies the length.
#include <core.p4>
#include <v1model.p4>

header v_t {
    bit<8>     n;
    varbit<32> body;
}
header n_t {
    bit<8> n;
}
header r_t {
    bit<8> same_before;
    bit<8> same_after;
}
struct headers_t {
    r_t r;
    v_t a;
    v_t b;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.a, (bit<32>)pkt.lookahead<n_t>().n * 8);
        pkt.extract(hdr.b, (bit<32>)pkt.lookahead<n_t>().n * 8);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.r.setValid();
        hdr.r.same_before = hdr.a.body == hdr.b.body ? 8w1 : 8w0;
        hdr.b.body = hdr.a.body;
        hdr.r.same_after = hdr.a.body != hdr.b.body ? 8w0 : 8w1;
        smeta.egress_spec = 1;
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
        pkt.emit(hdr.r);
        pkt.emit(hdr.a);
        pkt.emit(hdr.b);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
