// A parser instance as constructor argument of another parser.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct headers_t {
    h_t h;
    h_t g;
}
struct meta_t { }

parser StepT(packet_in p, inout bit<8> r);

parser AddOne(packet_in p, inout bit<8> r) {
    state start {
        r = r + 1;
        transition accept;
    }
}
parser Double(packet_in p, inout bit<8> r) {
    state start {
        r = r << 1;
        transition accept;
    }
}
parser Twice(packet_in p, inout bit<8> r)(StepT step) {
    state start {
        step.apply(p, r);
        step.apply(p, r);
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Twice(AddOne()) plus_two;
    Twice(Double()) times_four;
    state start {
        pkt.extract(hdr.h);
        plus_two.apply(pkt, hdr.h.k);
        times_four.apply(pkt, hdr.h.r);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
