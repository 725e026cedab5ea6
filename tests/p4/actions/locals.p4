// Local variables of an action: initialised at each call, shadowing a variable
// of the control, in nested blocks; the control's variable lives on between
// actions of one packet and not between packets.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

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
    bit<8> n = 0x10;
    action shadow(bit<8> v) {
        bit<8> n = v;
        {
            bit<8> n = 1;
            n = n + 1;
        }
        n = n + 1;
        hdr.h.r = n;
    }
    action keep(bit<8> v) {
        const bit<8> STEP = 2;
        n = n + v + STEP;
        hdr.h.s = n;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            shadow;
            keep;
        }
        default_action = keep(0);
    }
    apply {
        smeta.egress_spec = 1;
        keep(1);
        t.apply();
        keep(3);
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
