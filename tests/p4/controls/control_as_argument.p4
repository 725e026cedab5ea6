// A control instance as constructor argument of another control: the outer one
// applies what it was given.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control StepT(inout bit<8> x);

control AddN(inout bit<8> x)(bit<8> n) {
    apply {
        x = x + n;
    }
}
control Double(inout bit<8> x) {
    apply {
        x = x << 1;
    }
}
control Twice(inout bit<8> x)(StepT step) {
    apply {
        step.apply(x);
        step.apply(x);
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
    Twice(AddN(3)) plus_six;
    Twice(Double()) times_four;
    apply {
        smeta.egress_spec = 1;
        plus_six.apply(hdr.h.a);
        times_four.apply(hdr.h.b);
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
