// return in a sub-control ends that control alone; return in ingress ends
// ingress, and egress runs.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> sub;
    bit<8> after;
    bit<8> egress;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Sub(in bit<8> k, inout bit<8> x) {
    apply {
        x = 1;
        if (k == 1) {
            if (x == 1) {
                x = 2;
                return;
            }
        }
        x = 3;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    Sub() sub;
    apply {
        smeta.egress_spec = 1;
        sub.apply(hdr.h.k, hdr.h.sub);
        hdr.h.after = 0x11;
        if (hdr.h.k == 2) {
            return;
        }
        hdr.h.after = 0x12;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        hdr.h.egress = 0xe0;
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
