// A serializable enum over int<8>: negative members, comparison and arithmetic through its signed
// underlying type.
#include <core.p4>
#include <v1model.p4>

enum int<8> Op { ERASE = -1, READ = 1, WRITE = 2 }
header in_t { Op kind; }
header out_t { bit<8> r0; bit<8> r1; int<8> r2; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
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
        hdr.o.r0 = hdr.i.kind == Op.ERASE ? 8w1 : 8w0;
        hdr.o.r1 = hdr.i.kind < Op.READ ? 8w1 : 8w0;
        hdr.o.r2 = hdr.i.kind + 8s2;
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
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
