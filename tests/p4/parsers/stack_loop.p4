// A loop that extracts into next and selects on last until the bottom-of-stack
// bit; elements are filled from index 0.
#include <core.p4>
#include <v1model.p4>

header label_t {
    bit<7> label;
    bit<1> bos;
}
header r_t {
    bit<8> valid;
    bit<8> first;
    bit<8> last_index;
}
struct headers_t {
    r_t        r;
    label_t[3] labels;
}
struct meta_t {
    bit<8> last_index;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.labels.next);
        meta.last_index = (bit<8>)hdr.labels.lastIndex;
        transition select(hdr.labels.last.bos) {
            0: start;
            1: accept;
        }
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.r.setValid();
        hdr.r.valid = 5w0 ++ (bit<1>)hdr.labels[2].isValid() ++
                      (bit<1>)hdr.labels[1].isValid() ++ (bit<1>)hdr.labels[0].isValid();
        hdr.r.first = (bit<8>)hdr.labels[0].label;
        hdr.r.last_index = meta.last_index;
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
        pkt.emit(hdr.labels);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
