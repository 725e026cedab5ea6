// Writing the argument's storage during the call does not show in the parameter, and the copy-out
// comes last.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; }
header out_t { bit<8> r0; bit<8> seen; bit<8> back; bit<8> q; }

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
    action modify(inout bit<8> p) {
        hdr.o.r0 = 0x80;
        p = p + 1;
        hdr.o.seen = hdr.o.r0;
    }
    action peek(in bit<8> q) {
        hdr.o.r0 = 0x55;
        hdr.o.q = q;
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r0 = hdr.i.a;
        modify(hdr.o.r0);
        hdr.o.back = hdr.o.r0;
        peek(hdr.o.r0);
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
