// Extern objects inside a control: one per instance of the control, shared by
// all calls of that instance, and kept from packet to packet, unlike
// variables.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> sel;
    bit<8> a;
    bit<8> b;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Count(out bit<8> total) {
    register<bit<8>>(1) r;
    bit<8> calls = 0;
    apply {
        calls = calls + 1;
        r.read(total, 0);
        total = total + calls;
        r.write(0, total);
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
    Count() one;
    Count() two;
    apply {
        smeta.egress_spec = 1;
        one.apply(hdr.h.a);
        if (hdr.h.sel == 1) {
            one.apply(hdr.h.a);
        }
        if (hdr.h.sel == 2) {
            two.apply(hdr.h.b);
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
