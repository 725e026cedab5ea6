// const entries of a table with ternary keys are tried in the order of the
// text: the first match wins, also against a more specific one; values, masks,
// don't care and default as a component.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  e;
    bit<16> t;
    bit<8>  r;
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
    action set(bit<8> v) {
        hdr.h.r = v;
    }
    action none() {
        hdr.h.r = 0xff;
    }
    table t {
        key = {
            hdr.h.e: exact;
            hdr.h.t: ternary;
        }
        actions = {
            set;
            none;
        }
        default_action = none;
        const entries = {
            (0x01, 0x1111 &&& 0x000f): set(1);
            (0x01, 0x1121): set(2);
            (0x02, 0x1181): set(3);
            (0x03, 0x1111 &&& 0xf000): set(4);
            (0x03, 0x1234): set(5);
            (0x04, 0x1211 &&& 0x02f0): set(6);
            (0x04, 0x1311 &&& 0x02f0): set(7);
            (0x06, _): set(8);
            (0x06, 0x0001): set(9);
            (0x07, default): set(v = 10);
        }
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
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
