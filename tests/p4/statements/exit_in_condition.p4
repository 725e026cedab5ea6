// exit inside a table applied in an if condition: neither branch nor anything later is executed.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; }

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
    action leave() {
        exit;
    }
    action stay() { }
    table t {
        key = { hdr.i.a: exact; }
        actions = { leave; stay; NoAction; }
        default_action = NoAction();
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r0 = 0x55;
        hdr.o.r1 = 0;
        if (t.apply().hit) {
            hdr.o.r0 = 1;
        } else {
            hdr.o.r0 = 2;
        }
        hdr.o.r1 = 0xaa;
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
