// Two-argument extract: the varbit field takes exactly the given number of
// bits, zero included, the fixed fields around it keep their places, and emit
// writes the dynamic length.
#include <core.p4>
#include <v1model.p4>

header len_t {
    bit<8> n;
}
header v_t {
    bit<8>      head;
    varbit<64>  body;
    bit<8>      tail;
}
struct headers_t {
    len_t len;
    v_t   v;
    v_t   copy;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.len);
        pkt.extract(hdr.v, (bit<32>)hdr.len.n * 8);
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
        if (hdr.v.isValid()) {
            hdr.copy = hdr.v;
            hdr.copy.head = 0xc0;
            hdr.v.tail = hdr.v.tail + 1;
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
        pkt.emit(hdr.len);
        pkt.emit(hdr.v);
        pkt.emit(hdr.copy);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
